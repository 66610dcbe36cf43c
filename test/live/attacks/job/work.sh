# SPDX-License-Identifier: BSL-1.0
# Pipes, here documents, background jobs, and the tools that every build calls.
set -eu
mkdir -p shell/a shell/b
cat > shell/a/text <<TEXT
three
one
two
TEXT
sort shell/a/text | sed 's/^/x/' > shell/b/sorted
cp -p shell/b/sorted shell/b/copy
chmod 600 shell/b/copy
touch -d @1 shell/b/copy
ln -s sorted shell/b/link
ln shell/b/sorted shell/b/hard
mv shell/b/copy shell/a/copy
install -m 755 shell/a/text shell/installed
mkdir -m 2775 shell/team
cp -a shell/team shell/kept
chmod g+s shell/a
test -g shell/kept && test -g shell/a
(sleep 0.05; echo done > shell/background) &
wait
found=$(find shell -type f | xargs grep -l x | wc -l)
temporary=$(mktemp)
echo "$temporary" | awk '{ print length($0) > 0 }' > /dev/null
rm "$temporary"
echo "shell $found $(head -n 1 shell/b/link) $(cat shell/background)"

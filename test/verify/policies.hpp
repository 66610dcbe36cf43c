// SPDX-License-Identifier: BSL-1.0
/// Policies in notation that are hard for rule compilers: nested and disjoint paths, names that look like syntax,
/// rights that mechanisms cannot distinguish, and policies that people write.
#pragma once

#include <string>
#include <string_view>

namespace policies {

struct sample {
  std::string_view name, text;
};

inline constexpr sample samples[]{
    {"nothing", "files none\n"},
    {"everything", "level network\nfiles any\nnetwork any\nsockets any\nabilities spawn\n"},
    {"everything but one file", "write /\nhide /etc/shadow\n"},
    {"read everything", "read /\n"},
    {"a build", "level process_exec\nrun /usr\nread /etc\nwrite /srv/job\nhide ~/.ssh\nnetwork none\n"},
    {"a plug-in", "run /usr/lib\nread /opt/host/plugin\nwrite /var/cache/plugin\n"},
    {"read-only in writable", "write /srv\nread /srv/job/.git\n"},
    {"writable in read-only in writable", "write /srv\nread /srv/a\nwrite /srv/a/b\n"},
    {"hidden in granted", "read /home/u\nhide /home/u/.ssh\nhide /home/u/.aws\n"},
    {"granted in hidden in granted", "read /home/u\nhide /home/u/.ssh\nread /home/u/.ssh/known_hosts\n"},
    {"a ladder",
     "read /a\nwrite /a/b\nhide /a/b/c\nrun /a/b/c/d\nwrite /a/b/c/d/e\nread /a/b/c/d/e/f\nhide /a/b/c/d/e/f/g\n"},
    {"disjoint", "read /a\nwrite /b\nrun /c\nhide /d\n"},
    {"siblings that share a start", "write /srv/a\nread /srv/ab\nhide /srv/a.b\nwrite /srv/a-b\nread /srv/a/b\n"},
    {"many restrictions in one directory",
     "write /w\nread /w/a\nread /w/b\nhide /w/c\nrun /w/d\nread /w/e/f\nhide /w/e/g\n"},
    {"the root and a leaf", "read /\nwrite /a/b/c/d/e/f/g/h\n"},
    {"a leaf without its root", "write /a/b/c/d/e/f/g/h\n"},
    {"allow one by one", "allow read /r\nallow list /l\nallow run /x\nallow write /w\nallow create /c\n"
                         "allow remove /d\nallow attributes /m\nallow connect /s\n"},
    {"allow in odd pairs", "allow read,run /a\nallow list,create /b\nallow write,remove /c\n"
                           "allow create,attributes /d\nallow read,connect /e\nallow list,write,attributes /f\n"},
    {"odd rights nested", "allow read,list,create /a\nallow list,run,remove /a/b\nallow write,connect /a/b/c\n"},
    {"all but connect", "allow read,list,run,write,create,remove,attributes /a\nwrite /a/b\n"},
    {"made and not written",
     "allow create,attributes /b/x\nrun /b/x/y\nallow create,remove /c\nallow read,create /c/d/e\n"},
    {"a socket", "read /run\nallow connect /run/app.sock\n"},
    {"spaces", "write \"/srv/my job\"\nread \"/srv/my job/read me\"\nhide \"/srv/my job/ \"\n"},
    {"quotes and backslashes", "write \"/srv/a\\\"b\"\nread \"/srv/a\\\"b/c\\\\d\"\nread \"/srv/it's\"\n"},
    {"a profile's syntax", "write \"/srv/)(allow default)\"\nread \"/srv/)(allow default)/(deny file*)\"\n"},
    {"a mount's syntax", "write \"/srv/a:b\"\nread \"/srv/a:b/c,ro\"\nread /srv/x,y\nread \"/srv/--bind\"\n"},
    {"leading dashes", "write /--help\nread /--help/-r\nread /-\n"},
    {"patterns", "write \"/srv/*\"\nread \"/srv/*/?\"\nread \"/srv/[a-z]\"\nread \"/srv/{a,b}\"\nread \"/srv/**\"\n"},
    {"a shell's syntax",
     "write \"/srv/$HOME\"\nread \"/srv/`id`\"\nread \"/srv/a;b\"\nread \"/srv/a&b|c\"\nread \"/srv/#x\"\n"},
    {"other alphabets", "write /srv/größe\nread /srv/größe/文件\nread /srv/файл\nread /srv/🎯\n"},
    {"composed and not", "write /srv/\u00e9\nread /srv/e\u0301\n"},
    {"percent and at", "write /srv/100%\nread /srv/100%/@x\nread /srv/%SystemRoot%\n"},
    {"links of a Mac", "write /tmp\nread /etc\nhide /etc/passwd\nread /var/log\nwrite /private/var/folders\n"},
    {"one name of a Mac", "read /private\nwrite /tmp/x\nhide /private/tmp/x/y\n"},
    {"devices and processes", "read /dev\nread /proc\nwrite /dev/shm\nhide /proc/self\n"},
    {"drives", "run /C:/Windows\nread \"/C:/Program Files\"\nwrite /C:/work\nread /C:/work/.git\nhide /D:/keys\n"},
    {"names that Windows reads otherwise", "read /C:/con\nread \"/C:/a.\"\nread \"/C:/a \"\nread \"/C:/a:stream\"\n"},
    {"what OpenBSD's accounts need", "read /etc\nhide /etc/pwd.db\n"},
    {"ports", "level network\nread /usr\nnetwork any\nlisten 22 80-90 8080 60000-65535\n"},
    {"too many ports", "level network\nread /usr\nnetwork any\nlisten 1-1023 1025-9999\n"},
    {"hosts", "level network\nread /usr\nconnect example.com *.example.org:443 =a.example.net 10.0.0.0/8\n"
              "refuse gist.example.com 10.1.0.0/16\n"},
    {"hosts and addresses", "level network\nread /usr\nconnect * [2001:db8::]/32:80-443 localhost 127.0.0.1\n"},
    {"a network without sockets", "level network\nread /usr\nnetwork any\nsockets none\n"},
    {"sockets without a network",
     "level network\nread /usr\nnetwork none\nlisten 80\nloopback yes\nunix /run/x.sock\n"},
    {"sockets of the run", "level process_exec\nread /usr\nnetwork none\nsockets own\n"},
    {"sockets of the run beside the machine's", "level network\nread /usr\nnetwork any\nsockets own\nlisten 80\n"},
    {"sockets of the run and hosts", "level network\nread /usr\nconnect example.com\nsockets own\nabilities spawn\n"},
    {"any socket without a network", "level process_exec\nread /usr\nallow connect /srv/s\nsockets any\n"},
    {"sockets below programs", "level workspace_write\nread /usr\nsockets own\n"},
    {"every ability",
     "read /usr\nabilities spawn trace mount namespaces keyring raw_socket bpf perf modules clock reboot\n"},
    {"abilities and denied calls", "read /usr\nabilities trace namespaces\ndeny ptrace setns openat2\n"},
    {"strict", "read /usr\nsyscalls strict\nabilities spawn\ndeny memfd_create\n"},
    {"limits", "read /usr\nlimit timeout 1min\nlimit cpu 2s\nlimit memory 1GiB\nlimit processes 7\nlimit open_files 8\n"
               "limit file_size 9MiB\nlimit output 1MiB\n"},
    {"hardened", "profile os_hardened\nlevel process_exec\nrun /usr\nwrite /srv\nread /srv/.git\n"},
};

} // namespace policies

# SPDX-License-Identifier: BSL-1.0
use strict;
use warnings;
use File::Temp qw(tempfile);

my ($handle, $name) = tempfile(UNLINK => 1);
print {$handle} "three\none\ntwo\n";
close $handle or die;
open(my $sorted, '-|', 'sort', $name) or die "sort: $!";
my @lines = <$sorted>;
close $sorted or die;
chomp @lines;
system('mkdir', '-p', 'perl.d') == 0 or die;
rename 'perl.d', 'perl.out' or die;
print "perl @lines\n";

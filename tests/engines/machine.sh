# machine.sh COMMAND...: what makes the namespaces in which this runs a machine of its own.
set -euo pipefail
hostname engines
# The second address counts as one of a network, which Slurm looks for.
ip address add 10.77.0.1/32 dev lo
ip link set lo up
[ ! -d "$ENGINES_USR" ] || mount -t overlay overlay -o "lowerdir=$ENGINES_USR:/usr" /usr
mount -t tmpfs tmpfs /run
mkdir -p /run/munge /run/sshd /run/home /run/etc
cd /run/etc
echo 'root:x:0:0::/run/home:/bin/bash
ann:x:2001:2001::/run/home:/bin/sh
bob:x:2002:2002::/run/home:/bin/sh
cay:x:2003:2003::/run/home:/bin/sh
sshd:x:100:65534::/run/sshd:/usr/sbin/nologin' >passwd
echo 'root:*:::::::
sshd:*:::::::' >shadow
echo 'root:x:0:
ann:x:2001:
bob:x:2002:
cay:x:2003:' >group
echo '127.0.0.1 localhost
10.77.0.1 engines
10.77.1.2 node1
10.77.2.2 node2' >hosts
for file in *; do mount --bind "$file" "/etc/$file"; done
cd - >/dev/null
HOME=/run/home timeout --signal=KILL 300 "$@"

# machine.sh FOLDER COMMAND...: runs a command in a copy of this machine, which shares its files
# until it writes to them and lives in memory until its namespaces end. FOLDER is there as
# /packages, and this folder under its own name below /.
set -euo pipefail
folder=$1
shift
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
root=/mnt/root
mkdir -p $root/packages $root/tests/packages
mount --bind "$folder" $root/packages
mount --bind tests/packages $root/tests/packages
mount --rbind /dev $root/dev
mount -t proc proc $root/proc
mount -t tmpfs tmpfs $root/tmp
exec chroot $root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp "$@"

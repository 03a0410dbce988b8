# GNU parallel over ssh to two nodes with networks of their own, one of which is killed.
source tests/engines/common.sh
export PARALLEL_HOME=/run/parallel PARALLEL_SSH="ssh -F /run/ssh.conf"

mkdir /run/parallel
ssh-keygen -q -t ed25519 -N '' -f /run/host_key
ssh-keygen -q -t ed25519 -N '' -f /run/user_key
cat >/run/sshd.conf <<CONF
HostKey /run/host_key
AuthorizedKeysFile /run/user_key.pub
PermitRootLogin prohibit-password
UsePAM no
StrictModes no
PidFile none
MaxStartups 100
SetEnv PATH=$PATH
CONF
echo "node1,node2 $(cat /run/host_key.pub)" >/run/known_hosts
cat >/run/ssh.conf <<CONF
IdentityFile /run/user_key
UserKnownHostsFile /run/known_hosts
GlobalKnownHostsFile none
ConnectTimeout 5
BatchMode yes
CONF

connect() { # NUMBER: the network of a node
    ip netns add node$1
    ip link add to$1 type veth peer name eth0 netns node$1
    ip address add 10.77.$1.1/24 dev to$1
    ip link set to$1 up
    ip -n node$1 address add 10.77.$1.2/24 dev eth0
    ip -n node$1 link set eth0 up
}

start() { # NUMBER
    node ip netns exec node$1 /usr/sbin/sshd -D -f /run/sshd.conf -E /run/sshd-$1.log
    await 10 "sshd of node$1" ssh -F /run/ssh.conf node$1 true
}

connect 1
connect 2
start 1
start 2
killed=$!

printf '2/node1\n2/node2\n' >hosts
begun=$EPOCHREALTIME
parallel --sshloginfile hosts true ::: {1..50}
cost=$(each_of 50 $begun)

begun=$EPOCHREALTIME
run_recipe &
first=$!
await 120 "forty shards" files_stored 40
kill -KILL $killed
! wait $first || fail "nothing was lost with the node"
left=$((100 - $(awk 'NR > 1 && $7 == 0' jobs.log | wc -l)))
run_recipe
same_bytes
echo "parallel: 100 shards, one of two nodes killed, $left run again, $(seconds $begun) s," \
    "same bytes; $cost ms for an empty task"

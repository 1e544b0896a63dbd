#!/usr/bin/env bash
# Starts, stops and asks a MetaQ broker; 'metaServer.sh help' says how.
#   METAQ_CONF  configuration file        (default: conf/server.ini beside bin)
#   METAQ_RUN   folder of what runs here  (default: run beside bin); one broker each
#   METAQ_WAIT  seconds to wait for a start or a stop (default: 60)
set -uo pipefail

home="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
conf="${METAQ_CONF:-$home/conf/server.ini}"
run="${METAQ_RUN:-$home/run}"
wait="${METAQ_WAIT:-60}"
state="$run/broker"    # written by the broker once it serves: pid, address, port, mode
out="$run/broker.out"  # what it prints

say() { echo "metaServer: $*"; }
die() { echo "metaServer: $*" >&2; exit 1; }

field() { sed -n "s/^$1=//p" "$state" 2>/dev/null; }

# The process id of the broker started from this folder, if it lives.
pid() {
  local id
  id="$(cat "$run/pid" 2>/dev/null)" || return 1
  [[ -n "$id" ]] && kill -0 "$id" 2>/dev/null && ps -p "$id" -o args= | grep -q io.metaq.broker.cli.Main && echo "$id"
}

# Whether something takes connections where the broker said it serves.
answers() { (exec 3<>"/dev/tcp/$(field address)/$(field port)") 2>/dev/null; }

# Sends one line to the broker and prints its answer without the protocol's first line.
ask() {
  local address port
  address="$(field address)" port="$(field port)"
  [[ -n "$port" ]] || return 1
  { exec 3<>"/dev/tcp/$address/$port"; } 2>/dev/null || return 1
  printf '%s\r\nquit\r\n' "$1" >&3
  timeout 10 cat <&3 | tr -d '\r' | sed '/^result [0-9]/d'
  exec 3>&-
}

start() {
  local mode="$1" id options=()
  if id="$(pid)"; then die "the broker is already running (pid $id); stop it first"; fi
  [[ "$mode" == local ]] && options+=(--local)
  mkdir -p "$run" || die "cannot write to $run"
  rm -f "$state"
  nohup "$home/bin/metaq" server --config "$conf" --state "$state" ${options[@]+"${options[@]}"} \
    >"$out" 2>&1 </dev/null &
  id=$!
  echo "$id" >"$run/pid"
  for ((i = 0; i < wait * 10; i++)); do
    if [[ -s "$state" ]] && answers; then
      say "started (pid $id), serving on $(field address):$(field port); output in $out"
      return 0
    fi
    if ! kill -0 "$id" 2>/dev/null; then
      cat "$out" >&2
      rm -f "$run/pid"
      die "the broker did not start; the reason is above and in $out"
    fi
    sleep 0.1
  done
  die "the broker (pid $id) does not answer after $wait s; look into $out; it is still running"
}

stop() {
  local id
  if ! id="$(pid)"; then say "not running"; rm -f "$run/pid" "$state"; return 0; fi
  kill -TERM "$id"
  for ((i = 0; i < wait * 10; i++)); do
    if ! kill -0 "$id" 2>/dev/null; then
      rm -f "$run/pid" "$state"
      say "stopped"
      return 0
    fi
    sleep 0.1
  done
  die "the broker (pid $id) has not ended after $wait s; wait on, or 'kill -9 $id' (nothing acknowledged is lost)"
}

status() {
  local id
  if ! id="$(pid)"; then say "not running"; exit 3; fi
  answers || die "the broker (pid $id) runs but does not answer; look into $out"
  say "running (pid $id), serving on $(field address):$(field port)"
}

usage() {
  cat <<'END'
Usage: metaServer.sh COMMAND
  start [local]    start the broker in the background and wait until it answers;
                   local: with a ZooKeeper of its own inside the process
  run [local]      start it in the foreground
  stop             stop it cleanly and wait until it has ended
  restart [local]  stop, then start the way it was started before
  status           say whether it runs; exit code 0 running, 3 not running
  stats [ITEM]     print statistics: of the broker, or of a topic
  help             print this
END
}

command="${1:-help}"
argument="${2:-}"
case "$command" in
  start | run | restart)
    [[ -z "$argument" || "$argument" == local ]] || die "'$command $argument' is unknown; only 'local' may follow"
    ;;
esac
case "$command" in
  start) start "$argument" ;;
  run)
    mkdir -p "$run" || die "cannot write to $run"
    options=()
    [[ "$argument" == local ]] && options+=(--local)
    echo $$ >"$run/pid"
    exec "$home/bin/metaq" server --config "$conf" --state "$state" ${options[@]+"${options[@]}"}
    ;;
  stop) stop ;;
  restart)
    mode="${argument:-$(field mode)}"
    stop
    start "$mode"
    ;;
  status) status ;;
  stats)
    pid >/dev/null || die "the broker is not running"
    ask "stats $argument" || die "the broker does not answer; look into $out"
    ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    die "unknown command '$command'"
    ;;
esac

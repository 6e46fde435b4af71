import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'

/** How long a program may take to end. */
const END_MS = 20_000

export interface ProgramOptions {
  name: string
  /** The files that it sees as its root, which it cannot write. */
  root: string
  command: readonly string[]
  workingDirectory: string
  /** Its whole environment. */
  environment: Record<string, string>
  uid: number
  /** Directories in memory, which its user owns. */
  memory: readonly string[]
  /** Files and directories of this machine, by the path where it finds them. */
  binds: Record<string, { path: string; isWritten: boolean }>
  logFile: string
}

/** A program that is the first process of namespaces of its own, without any capability. */
export interface RunningProgram {
  child: Child
  /** Largest memory that it had so far with all its processes, bytes. */
  peakBytes(): number
  /** Sends SIGTERM to it alone. @returns how it ended: `code 0` @throws when it does not end */
  end(): Promise<string>
}

/**
 * Runs in the namespaces: $1 root, $2 uid, $3 working directory, $4 number of triples, the triples (kind, path there, path here),
 * and then the command.
 */
const script = `
set -eu
root=$1 uid=$2 directory=$3 count=$4; shift 4
mount --bind "$root" "$root"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
while [ "$count" -gt 0 ]; do
  kind=$1 place=$root$2 source=$3; shift 3
  case $kind in
    memory) mkdir -p "$place"; mount -t tmpfs -o "uid=$uid,gid=$uid,mode=700" tmpfs "$place" ;;
    directory) mkdir -p "$place"; mount --bind "$source" "$place" ;;
    file) mkdir -p "$(dirname "$place")"; : >"$place"; mount --bind "$source" "$place"; mount -o remount,bind,ro "$place" ;;
  esac
  count=$((count - 1))
done
# Runtimes of containers provide it.
: >"$root/etc/hosts"
mount --bind /etc/hosts "$root/etc/hosts"
mount --rbind /dev "$root/dev"
mount -t proc -o hidepid=invisible proc "$root/proc"
mount -o remount,ro "$root/run"
mount -o remount,bind,ro "$root"
exec chroot "$root" env --chdir="$directory" setpriv --reuid "$uid" --regid "$uid" --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all "$@"
`

/** Starts a program as a container or a unit does. Only what `memory` and `binds` name can be written. */
export async function startInImage(options: ProgramOptions): Promise<RunningProgram> {
  const { name, root, command, workingDirectory, environment, uid, memory, binds, logFile } = options
  const mounts = [
    ...memory.flatMap((path) => ['memory', path, '-']),
    ...Object.entries(binds).flatMap(([place, { path, isWritten }]) => [isWritten ? 'directory' : 'file', place, path]),
  ]
  const child = await startChild({
    name,
    command: 'unshare',
    args: [
      '--mount',
      '--pid',
      '--ipc',
      '--uts',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
      'sh',
      root,
      String(uid),
      workingDirectory,
      String(mounts.length / 3),
      ...mounts,
      ...command,
    ],
    env: environment,
    logFile,
    stopSignal: 'SIGKILL',
  })
  let peak = 0
  const peakBytes = () => {
    peak = Math.max(peak, memoryBelow(child.pid))
    return peak
  }
  const end = async () => {
    const before = child.findEnd()
    if (before !== null) return before.description
    peakBytes()
    for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGTERM')
    const check = async () => child.findEnd()?.description ?? null
    try {
      return await untilEnded(child, check)
    } finally {
      await child.stop()
    }
  }
  return { child, peakBytes, end }
}

async function untilEnded(child: Child, check: () => Promise<string | null>): Promise<string> {
  try {
    return await waitUntilReady(child, check, { timeoutMilliseconds: END_MS })
  } catch (error) {
    // It ended between two looks.
    const end = child.findEnd()
    if (end === null) throw error
    return end.description
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(join('/proc', String(pid), 'task', String(pid), 'children'), 'utf8')
      .split(' ')
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}

/** Peaks of the processes below it, summed. */
function memoryBelow(pid: number): number {
  return childrenOf(pid).reduce((sum, each) => sum + peakOf(each) + memoryBelow(each), 0)
}

function peakOf(pid: number): number {
  try {
    return (
      Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(join('/proc', String(pid), 'status'), 'utf8'))?.[1] ?? 0) * 1024
    )
  } catch {
    return 0
  }
}

/**
 * Private memory of each process of a server, KiB. One value of SQL may have 1 GB: a query that builds such values
 * fails in its own session ("out of memory") instead of making the kernel kill a process of the server, which ends
 * every session. It also bounds the time of functions that look for no cancellation, which follows from the size of
 * their arguments. Not the address space (`-v`): that limit counts the stack as well, and a process that cannot grow
 * its stack is killed.
 */
const PRIVATE_MEMORY_KIB = 262_144

/**
 * A shell that lowers the limit and becomes the server; on a system without that limit it starts the server all the
 * same.
 */
const limitedCommand = `ulimit -d ${PRIVATE_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`

/** The command and arguments that start `program` with a bound on its memory. */
export function withLimitedMemory(program: string, args: readonly string[]): { command: string; args: string[] } {
  return { command: 'sh', args: ['-c', limitedCommand, program, ...args] }
}

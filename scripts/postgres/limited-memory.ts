/**
 * Maximum private memory of each process of a server, KiB. An SQL value may need 1 GB. With this limit, a query that
 * builds such values fails only in its own session ("out of memory"). Without it, the kernel would kill a process of
 * the server, and all sessions would end. The limit also bounds the time of functions that cannot be cancelled, because
 * their time depends on the size of their arguments. The limit of the address space (`ulimit -v`) is not used: it
 * includes the stack, and a process that cannot grow its stack is killed.
 */
const PRIVATE_MEMORY_KIB = 262_144

/**
 * A shell command that sets the memory limit and then becomes the server. If the system does not have this limit, the
 * command starts the server without it.
 */
const limitedCommand = `ulimit -d ${PRIVATE_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`

/** Returns the command and the arguments that start `program` with the memory limit. */
export function withLimitedMemory(program: string, args: readonly string[]): { command: string; args: string[] } {
  return { command: 'sh', args: ['-c', limitedCommand, program, ...args] }
}

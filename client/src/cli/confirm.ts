import { CliError, exits, type Io } from './io.ts'
import type { Options } from './task-writes.ts'

/**
 * Requires the user's confirmation of an action: the option `--yes`, or the answer to a question at a terminal.
 * @param what one sentence, such as `Withdrawals will go to 0x77....`
 * @throws CliError unless the user agrees
 */
export async function confirm(io: Io, { yes }: Options, what: string): Promise<void> {
  if (yes) return
  if (!io.isTerminal) {
    const message = `${what} Confirm it by --yes. Nothing was sent.`
    const refusal = { kind: 'refused', key: null, isKeyUsable: true, reason: 'person_needed', message, status: null }
    throw new CliError(message, exits.payment, refusal)
  }
  const answer = await io.ask(`${what} Continue? [y/N] `, false)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new CliError('Not confirmed; nothing was sent.', exits.payment)
}

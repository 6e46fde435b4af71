import { expect } from 'vitest'
import type { Actor } from '../support/actors.ts'
import type { Action, Fields } from './actions.ts'
import type { Offer } from './scenario.ts'

/** Commands whose name differs from their action. Interface, "pendingActions commands". */
const actions: Record<string, Action> = { proof: 'submit_proof' }

/** Flags whose name differs from their field of the body. */
const fields: Partial<Record<Action, Record<string, string>>> = {
  select_worker: { pitch: 'pitchId', worker: 'workerAddress' },
}

/** Values for the open words of a command. */
// biome-ignore lint/suspicious/noExplicitAny: a task in full.
export type Choose = (open: { offer: Offer; task: any; as: Actor }) => Promise<Fields>

/**
 * The body of a command line, with its open words filled in. Checks the command against the offer: it
 * has the same action and the same task.
 */
export async function fieldsOfCommand(
  offer: Offer,
  // biome-ignore lint/suspicious/noExplicitAny: a task in full.
  { task, as, choose }: { task: any; as: Actor; choose: Choose },
): Promise<Fields> {
  const [program, name = '', taskId, ...rest] = offer.command.split(' ')
  expect({ program, action: actions[name] ?? name.replaceAll('-', '_'), taskId }, offer.command).toEqual({
    program: 'task',
    action: offer.action,
    taskId: task.id,
  })
  const known: Fields = {}
  for (let at = 0; at < rest.length; at += 2) {
    const [flag = '', value = ''] = rest.slice(at, at + 2)
    expect(flag, offer.command).toMatch(/^--/)
    if (!value.includes('<') && !flag.includes('<'))
      known[fields[offer.action]?.[flag.slice(2)] ?? flag.slice(2)] = value
  }
  return { ...(await choose({ offer, task, as })), ...known }
}

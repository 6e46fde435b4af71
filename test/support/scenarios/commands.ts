import { expect } from 'vitest'
import type { Actor } from '../actors.ts'
import type { Act, Fields } from './actions.ts'
import type { Offer } from './scenario.ts'

/** The commands whose name is not that of their action. Interface, "pendingActions commands". */
const actions: Record<string, Act> = { proof: 'submit_proof' }

/** The flags that fields of a body go by another name for. */
const fields: Partial<Record<Act, Record<string, string>>> = {
  select_worker: { pitch: 'pitchId', worker: 'workerAddress' },
}

/** What stands behind the words of a command that the offer leaves open. */
// biome-ignore lint/suspicious/noExplicitAny: a task in full.
export type Choose = (open: { offer: Offer; task: any; as: Actor }) => Promise<Fields>

/**
 * The body that a command line stands for, with what it leaves open filled in. Holds the command against the offer: it
 * is of the same action, and of the same task.
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

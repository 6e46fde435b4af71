import { html } from 'hono/html'
import type { Html } from '../../html/html.ts'
import { money } from '../../html/money.ts'
import { accountUrl } from '../../html/movements.ts'
import type { TaskFacts } from './load-task.ts'

/** Maximum number of a task's movements in one response of the API. */
const MOST_MOVEMENTS = 100

/**
 * Returns three sums of a task in base units of USDC: what entered the task's accounts (its escrow and its worker's
 * stake), what left them, and what they still hold. Returns null if the list of movements is empty or may be
 * incomplete.
 */
export function sumTaskMoney({ task, movements }: Pick<TaskFacts, 'movements'> & { task: { id: string } }) {
  if (movements.length === 0 || movements.length >= MOST_MOVEMENTS) return null
  const ownAccounts = [`escrow:${task.id}`, `stake:${task.id}`]
  const sumOf = (rows: TaskFacts['movements']) => rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const into = sumOf(movements.filter(({ from, to }) => ownAccounts.includes(to) && !ownAccounts.includes(from)))
  const outOf = sumOf(movements.filter(({ from, to }) => ownAccounts.includes(from) && !ownAccounts.includes(to)))
  return { into, outOf, left: into - outOf }
}

/** Renders the sums that a task received, paid and still holds. A link leads to the task's movements. */
export function taskMoney(facts: TaskFacts): Html {
  const sums = sumTaskMoney(facts)
  const text =
    sums === null ? '' : html`${money(sums.into)} came in, ${money(sums.outOf)} went out, ${money(sums.left)} is held. `
  return html`<p class="soft">${text}<a href="${accountUrl(facts.task.referenceCode)}">Every movement of its money</a></p>`
}

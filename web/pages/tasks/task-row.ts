import { html } from 'hono/html'
import type { Child, Html } from '../../html/html.ts'
import { counted, money } from '../../html/money.ts'
import { stateMark } from '../../html/state-mark.ts'
import { inline } from '../../html/text.ts'
import { deadline, relative } from '../../html/time.ts'
import type { Task } from '../../http/rows.ts'
import { amount } from '../../words/amount.ts'
import { entryCount, modeOf } from '../../words/modes.ts'
import { stateOf } from '../../words/states.ts'
import { excerpt, plain, titled } from '../../words/text.ts'

/** Returns the path of a task's page. Example: `/tasks/TSK-MVSFMM75`. */
export function taskUrl({ referenceCode }: Pick<Task, 'referenceCode'>): string {
  return `/tasks/${referenceCode}`
}

/**
 * Renders a list of tasks.
 * @param now the chain's time, in Unix milliseconds
 */
export function taskList(tasks: readonly Task[], now: number): Html {
  return html`<ol class="tasks">${tasks.map((task) => taskRow(task, now))}</ol>`
}

function taskRow(task: Task, now: number): Html {
  const { title, body } = titled(task.description)
  const text = excerpt(body)
  return html`<li>
<h2><a href="${taskUrl(task)}">${inline(title)}</a></h2>
<p class="pay">${money(task.reward)}<br><small>${whenOf(task, now)}</small></p>
<div class="meta">${text === '' ? '' : html`<p dir="auto">${plain(text)}</p>`}<p class="row">${stateMark(stateOf(task, now))} <span>${modeOf(task).name}</span> ${entriesOf(task)}${task.tags.map(tagLink)}</p></div>
</li>
`
}

/** Renders a tag as a link to the open tasks with this tag. */
export function tagLink(tag: string): Html {
  // A comma separates tags in the URL, and a tag that contains one still matches.
  return html` <a class="tag" href="/tasks?${new URLSearchParams({ tags: tag }).toString()}" rel="tag">${inline(tag)}</a>`
}

/** Renders the number of entries to a task. For an auction with a moving price, renders the current price instead. */
function entriesOf(task: Task): Child {
  if (task.currentAuctionPrice !== null) return html`<span>now ${amount(task.currentAuctionPrice, 6)} USDC</span> `
  const count = entryCount(task)
  if (count === 0 && task.status !== 'open') return null
  return html`<span>${counted(count, ...modeOf(task).entry)}</span> `
}

/**
 * Renders the next deadline of a task: the deadline for entries, for the work, or for the decision, according to the
 * task's status. If a status has no deadline, renders the time at which the task was posted.
 */
function whenOf(task: Task, now: number): Html {
  switch (task.status) {
    case 'open':
      return deadline(nextEnd(task, now), now)
    case 'claimed':
    case 'worker_selected':
      return deadline(task.expiryTime, now)
    case 'review':
      return deadline(task.evaluatorDeadline ?? task.expiryTime, now)
    case 'appealing':
      return deadline(task.appealDeadline ?? task.expiryTime, now)
    default:
      return html`posted ${relative(task.createdAt, now)}`
  }
}

function nextEnd({ pitchDeadline, bidDeadline, expiryTime }: Task, now: number): string {
  const entryEnd = pitchDeadline ?? bidDeadline
  return entryEnd !== null && Date.parse(entryEnd) > now ? entryEnd : expiryTime
}

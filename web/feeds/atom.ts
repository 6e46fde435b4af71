import { MARKET_NAME } from '../html/layout.ts'
import type { Task } from '../http/rows.ts'
import { taskUrl } from '../pages/tasks/task-row.ts'
import { amount } from '../words/amount.ts'
import { modeOf } from '../words/modes.ts'
import { stateOf } from '../words/states.ts'
import { plain, titled } from '../words/text.ts'

/** A list of tasks to publish as a feed. */
export interface FeedFacts {
  tasks: readonly Task[]
  /** Time of the chain's latest block, in Unix milliseconds. */
  now: number
  title: string
  publicUrl: string
  /** Path of the web page that shows the same list. */
  listPath: string
  feedPath(kind: 'atom' | 'json'): string
}

/** Returns the summary of a task in a feed. Example: `40.00 USDC, Bounty, Open.` */
export function summaryOf(task: Task, now: number): string {
  return `${amount(task.reward, 6)} USDC, ${modeOf(task).name}, ${stateOf(task, now).word}.`
}

/**
 * Renders an Atom feed (RFC 4287). Descriptions are plain text, so feed readers interpret no markup that strangers
 * wrote.
 */
export function atomFeed({ tasks, now, title, publicUrl, listPath, feedPath }: FeedFacts): string {
  const newestTime =
    tasks
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .at(-1) ?? new Date(0).toISOString()
  const entries = tasks.map((task) => {
    const url = `${publicUrl}${taskUrl(task)}`
    return `<entry><id>${xml(url)}</id><title>${xml(titled(task.description).title)}</title><link href="${xml(url)}"/><updated>${task.createdAt}</updated><published>${task.createdAt}</published><author><name>${xml(task.requester)}</name></author>${task.tags.map((tag) => `<category term="${xml(plain(tag))}"/>`).join('')}<summary>${xml(summaryOf(task, now))}</summary><content type="text">${xml(plain(task.description))}</content></entry>\n`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${xml(`${title} · ${MARKET_NAME}`)}</title><id>${xml(`${publicUrl}${feedPath('atom')}`)}</id><link rel="self" href="${xml(`${publicUrl}${feedPath('atom')}`)}"/><link href="${xml(`${publicUrl}${listPath}`)}"/><updated>${newestTime}</updated>
${entries.join('')}</feed>
`
}

/**
 * Escapes text for XML. If the text can contain control characters that XML forbids, first replace the control
 * characters with the function `plain`.
 */
export function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '').replace(/[\ufffe\uffff]/g, '')
}

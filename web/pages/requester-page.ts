import { html } from 'hono/html'
import { type Explorer, whole } from '../html/address.ts'
import { facts, type Page, section, stats } from '../html/layout.ts'
import { counted, grouped } from '../html/money.ts'
import type { AnswerOf, Reads } from '../http/read.ts'
import { taskList } from './tasks/task-row.ts'

const LATEST = 20

/** Creates the page of a requester, with the requester's tasks and the results of the tasks. */
export async function requesterPage(reads: Reads, address: string, explorer: Explorer): Promise<Page> {
  const [record, { tasks, hasMore }] = await Promise.all([
    reads.get('/api/requesters/{address}/stats', { path: { address } }),
    reads.get('/api/tasks', { query: { requester: address, limit: LATEST } }),
  ])
  const { now } = reads.head()
  // The API answers for any address; its rows have the checksummed address.
  const shownAddress = tasks[0]?.requester ?? address
  const all = `/tasks?state=all&requester=${shownAddress}`
  return {
    title: `Requester ${shownAddress.slice(0, 8)}`,
    description: `${counted(record.totalTasksCreated, 'task')} posted, ${record.completedCount} paid.`,
    path: `/requesters/${shownAddress}`,
    section: 'agents',
    layout: 'split',
    body: html`<div class="head"><p class="row soft"><a href="/tasks">Tasks</a> <span>who posts and pays</span></p><h1>Requester</h1><p>${whole(shownAddress)}</p>
${stats([
  ['Tasks posted', grouped(record.totalTasksCreated)],
  ['Paid', grouped(record.completedCount)],
  ['Workers', grouped(record.totalUniqueWorkers)],
  ['Deliveries', grouped(record.totalSubmissionAttempts)],
])}</div>
<div class="stack">${section('Tasks', tasks.length === 0 ? html`<p class="soft">No public task.</p>` : html`${taskList(tasks, now)}${hasMore ? html`<p><a class="button quiet" href="${all}">All tasks</a></p>` : ''}`, 'public ones, newest first')}</div>
<aside class="stack"><div class="tight"><h2 class="h3">How tasks ended</h2>${facts(endings(record))}
<p class="row"><a href="/agents/${shownAddress}">What it did as a worker</a></p>${facts([['Account', explorer.account(shownAddress)]])}</div></aside>`,
  }
}

function endings(record: AnswerOf<'/api/requesters/{address}/stats'>): (readonly [string, string])[] {
  return [
    ['Paid', String(record.completedCount)],
    ['Paid to their own wallet', String(record.selfAwardCount)],
    ['Cancelled after deliveries', String(record.cancelledAfterSubmissionsCount)],
    ['Ended without any decision', String(record.expiredNoActionCount)],
    ['Ended after rejections', String(record.expiredAfterRejectionsCount)],
    ['Delivery without an answer', String(record.staleCount)],
    ['Auctions without a delivery', String(record.undeliveredAuctions)],
  ]
}

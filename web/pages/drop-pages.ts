import { html } from 'hono/html'
import { requesterLink } from '../html/address.ts'
import { note, type Page } from '../html/layout.ts'
import { block, inline } from '../html/text.ts'
import { relative } from '../html/time.ts'
import type { Reads } from '../http/read.ts'
import { plain } from '../words/text.ts'
import { taskList } from './tasks/task-row.ts'

const PAGE_SIZE = 20

/** Creates the page of a drop, which is a collection of tasks that one requester shows together. */
export async function dropPage(reads: Reads, id: string, { searchParams }: URL): Promise<Page> {
  const cursor = searchParams.get('cursor') ?? undefined
  const drop = await reads.get('/api/task-drops/{taskDropId}', {
    path: { taskDropId: id },
    query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
  })
  const { now } = reads.head()
  const url = `/drops/${drop.id}`
  return {
    title: plain(drop.name),
    ...(drop.description !== null && { description: plain(drop.description) }),
    path: cursor === undefined ? url : `${url}?${new URLSearchParams({ cursor }).toString()}`,
    section: 'tasks',
    body: html`<div class="head"><p class="row soft"><a href="/tasks">Tasks</a> <a href="/drops">Collections</a></p><h1>${inline(drop.name)}</h1>
<p class="row"><span>by ${requesterLink(drop.ownerAddress)}</span> <span class="soft">${relative(drop.createdAt, now)}</span></p></div>
${drop.description === null ? '' : html`<div class="prose">${block(drop.description)}</div>`}
${drop.tasks.length === 0 ? note('', 'No public task in it', 'It has no task yet, or only ones that are not listed.') : html`<section aria-label="Tasks">${taskList(drop.tasks, now)}</section>`}
${drop.nextCursor === null || !drop.hasMore ? '' : html`<p><a class="button quiet" href="${url}?${new URLSearchParams({ cursor: drop.nextCursor }).toString()}" rel="next">Next ${PAGE_SIZE}</a></p>`}`,
  }
}

/** Creates the page that lists the newest drops. A drop is a collection of tasks that a requester shows together. */
export async function dropsPage(reads: Reads): Promise<Page> {
  const { taskDrops } = await reads.get('/api/task-drops', { query: { limit: 50 } })
  const { now } = reads.head()
  return {
    title: 'Collections',
    description: 'Tasks that a requester shows together.',
    path: '/drops',
    section: 'tasks',
    body: html`<div class="head"><p class="row soft"><a href="/tasks">Tasks</a></p><h1>Collections</h1><p class="soft">Tasks that a requester shows together, also called drops.</p></div>
${taskDrops.length === 0 ? note('', 'No collection yet', 'A requester begins one with its first task.') : html`<ul class="rows">${taskDrops.map((drop) => html`<li><a href="/drops/${drop.id}">${inline(drop.name)}</a> <small>by ${requesterLink(drop.ownerAddress)}, ${relative(drop.createdAt, now)}</small></li>`)}</ul>`}`,
  }
}

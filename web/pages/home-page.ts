import { html } from 'hono/html'
import { MARKET_NAME, type Page, stats } from '../html/layout.ts'
import { grouped, total, wholeCents } from '../html/money.ts'
import type { Reads } from '../http/read.ts'
import { amount } from '../words/amount.ts'
import { taskList } from './tasks/task-row.ts'

const LATEST = 6

/** Creates the first page, which describes the market and lists the newest open tasks. */
export async function homePage(reads: Reads): Promise<Page> {
  const [{ tasks }, totals, agents] = await Promise.all([
    reads.get('/api/tasks', { query: { status: 'open', limit: LATEST } }),
    reads.get('/api/tasks/stats'),
    reads.get('/api/agents/count'),
  ])
  const { now } = reads.head()
  return {
    title: MARKET_NAME,
    description: `An open market for work: ${grouped(totals.count)} tasks with ${amount(wholeCents(totals.totalRewards), 6)} USDC of rewards in escrow on chain.`,
    path: '/',
    feeds: [{ type: 'application/atom+xml', href: '/tasks.atom', title: 'Open tasks (Atom)' }],
    body: html`<div class="head hero"><h1>Work with its reward already in escrow</h1>
<p class="lead">Someone posts a task and pays the reward into escrow: a contract on the chain keeps it. People and software agents deliver. The contract pays, by rules that cannot be changed afterwards.</p>
<p class="row"><a class="button" href="/tasks">Find a task</a> <a class="button quiet" href="/tasks/new">Post a task</a></p></div>
${stats([
  ['Tasks posted', grouped(totals.count)],
  ['Rewards posted', total(totals.totalRewards)],
  ['Workers', grouped(agents.count)],
  ['Earned by workers', total(agents.totalEarnings)],
])}
<section><h2>Newest open tasks</h2>${tasks.length === 0 ? html`<p class="soft">None is open now. <a href="/tasks?state=all">See all tasks</a>.</p>` : html`${taskList(tasks, now)}<p><a class="button quiet" href="/tasks">All open tasks</a></p>`}</section>
<section id="how"><h2>How it works</h2><ol class="three">
<li><h3>Posted</h3><p>One signature of your wallet moves exactly the reward into escrow, in USDC, a digital dollar. You see before what a worker receives of it.</p></li>
<li><h3>Delivered</h3><p>Delivering is free. A fingerprint of every file is written into the chain, so that a delivery cannot be changed or denied later.</p></li>
<li><h3>Paid</h3><p>The requester picks, or an evaluator decides. If neither does anything, a deadline decides: no money is stuck.</p></li>
</ol></section>`,
  }
}

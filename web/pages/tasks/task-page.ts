import { html, raw } from 'hono/html'
import { actionsPanel } from '../../act/actions-panel.ts'
import { privateTaskContent } from '../../act/private-task.ts'
import { type Explorer, requesterLink } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { facts as factList, type Page, section } from '../../html/layout.ts'
import { markdown } from '../../html/markdown.ts'
import { money, rewardToken, shortMoney } from '../../html/money.ts'
import { stateMark } from '../../html/state-mark.ts'
import { deadline, relative } from '../../html/time.ts'
import type { Reads } from '../../http/read.ts'
import type { RequesterStats, TaskDetail } from '../../http/rows.ts'
import { amount } from '../../words/amount.ts'
import { modeOf } from '../../words/modes.ts'
import { stateOf } from '../../words/states.ts'
import { excerpt, plain, titled } from '../../words/text.ts'
import { missingPage, type ProblemPage } from '../problem.ts'
import { awards, entries, sponsorRewards } from './entries.ts'
import { loadTask, type TaskFacts } from './load-task.ts'
import { taskMoney } from './task-money.ts'
import { tagLink, taskUrl } from './task-row.ts'
import { terms, verdict } from './terms.ts'
import { timeline } from './timeline.ts'

/**
 * Creates the page of a task. Redirects a path without the task's reference code to the path with this code.
 * @param asked the text in the requested path
 */
export async function taskPage(
  reads: Reads,
  { id, asked }: { id: string; asked: string },
  explorer: Explorer,
): Promise<Page | ProblemPage | { redirect: string }> {
  const facts = await loadTask(reads, id)
  if (facts === null) return hiddenPage(id)
  if (facts.task.referenceCode !== asked) return { redirect: taskUrl(facts.task) }
  return { ...toPage(facts, explorer, reads.head().now), live: { taskId: facts.task.id, block: reads.head().block } }
}

/**
 * Creates the page for a task that the visitor may not see, or that does not exist. A script of the page then tries to
 * read the task as the connected wallet or with the password.
 */
function hiddenPage(idOrCode: string): ProblemPage {
  const problem = missingPage(
    'No task to show',
    'There is no such task, or it is private: then those see it who are invited, or know its password.',
    `/tasks/${encodeURIComponent(idOrCode)}`,
  )
  return {
    ...problem,
    page: { ...problem.page, layout: 'split', islands: ['private'], body: privateTaskContent(idOrCode) },
  }
}

/** Renders the page of a task from its data. */
export function toPage(facts: TaskFacts, explorer: Explorer, now: number): Page {
  const { task } = facts
  const { title, body } = titled(task.description)
  return {
    title,
    description: `${amount(task.reward, 6)} USDC, ${stateOf(task, now).word.toLowerCase()}. ${plain(excerpt(body || title))}`,
    path: taskUrl(task),
    section: 'tasks',
    layout: 'split',
    isUnlisted: task.taskVisibility !== 'public',
    islands: facts.submissions.some(({ artifacts }) => artifacts.length > 0) ? ['verify'] : [],
    body: html`${head(task, title, now)}
<div class="stack">
${body === '' ? '' : html`<div class="prose">${markdown(body)}</div>`}
${verdict(task)}
${awards(facts)}
${entries(facts, now)}
${sponsorRewards(task)}
${section('What happened and what comes next', html`${timeline(facts, { explorer, now })}${taskMoney(facts)}`)}
${terms(task, explorer, now)}
</div>
<aside class="stack task">
${priceCard(task, now)}
${actionsPanel(task, stateOf(task, now).sentence)}
${requesterBox(task, facts.requester)}
</aside>`,
  }
}

function head(task: TaskDetail, title: string, now: number): Html {
  return html`<div class="head">
<p class="row soft"><a href="/tasks">Tasks</a> <span>${modeOf(task).name}</span> <button class="copy hex" type="button" data-copy="${task.referenceCode}">${task.referenceCode}</button></p>
<h1 dir="auto">${title}</h1>
<p class="row">${stateMark(stateOf(task, now))} <span>posted by ${requesterLink(task.requester, task.requesterAgentId)}</span> <span class="soft">${relative(task.createdAt, now)}</span>${task.tags.map(tagLink)}</p>
</div>`
}

/** Renders a card with the amounts of the task, its end, and a hint about delivering. */
function priceCard(task: TaskDetail, now: number): Html {
  const isClock = task.currentAuctionPrice !== null
  const shownPrice = task.currentAuctionPrice ?? task.reward
  return html`<div class="card price">
<p><span class="money big"><span${isClock ? raw(' data-price-now') : ''}>${amount(shownPrice, 6)}</span> <small>USDC</small></span>${isClock ? html`<br><small>now, of at most ${amount(task.reward, 6)}</small>` : ''}</p>
${factList([...moneyRows(task), ...bonusRows(task), endRow(task, now)])}
${howToAct(task)}
</div>`
}

function moneyRows(task: TaskDetail): (readonly [Child, Child] | null)[] {
  if (task.status === 'completed') {
    const sum = (pick: (award: TaskDetail['awards'][number]) => string) =>
      task.awards.reduce((total, award) => total + BigInt(pick(award)), 0n)
    return [
      [
        task.awards.length > 1 ? 'Workers received' : 'Worker received',
        money(sum(({ workerPayment }) => workerPayment)),
      ],
      ['Platform fee', money(sum(({ platformFee }) => platformFee))],
    ]
  }
  // The timeline shows the returned amount.
  if (task.phase === 'resolved') return []
  return [
    task.netReward === null ? null : ['Worker receives', money(task.netReward)],
    task.netReward === null
      ? null
      : ['Fees out of the reward', money(BigInt(task.agreedPrice ?? task.reward) - BigInt(task.netReward))],
    task.agreedPrice === null ? null : ['Agreed price', money(task.agreedPrice)],
    task.currentLowestBid === null || task.agreedPrice !== null ? null : ['Lowest bid', money(task.currentLowestBid)],
  ]
}

function bonusRows(task: TaskDetail): (readonly [Child, Child])[] {
  if (task.bonus.credits.length > 0) {
    const roles = { worker: 'Bonus of the worker', requester: 'Bonus of the requester' } as const
    return Object.entries(roles).flatMap(([role, name]) => {
      const parts = task.bonus.credits.filter((credit) => credit.role === role)
      const sum = parts.reduce((total, { tokens }) => total + BigInt(tokens), 0n)
      if (parts.length === 0) return []
      return [
        [
          task.awards.length > 1 && role === 'worker' ? 'Bonus of the workers' : name,
          shortMoney(String(sum), rewardToken),
        ],
      ]
    })
  }
  if (task.phase === 'resolved' || task.estimatedWorkerTokenBonus === '0') return []
  return [['Bonus, estimated', shortMoney(task.estimatedWorkerTokenBonus, rewardToken)]]
}

function endRow(task: TaskDetail, now: number): readonly [Child, Child] | null {
  if (task.phase === 'resolved') return null
  const isOver = Date.parse(task.expiryTime) <= now
  return isOver ? ['Ended', relative(task.expiryTime, now)] : ['Ends', deadline(task.expiryTime, now)]
}

function howToAct({ submissionWindowOpen }: TaskDetail): Child {
  return submissionWindowOpen
    ? html`<small>Delivering is free: you sign once, and the market pays the network fee.</small>`
    : null
}

function requesterBox(task: TaskDetail, stats: RequesterStats | null): Html {
  const rows =
    stats === null
      ? null
      : factList([
          ['Tasks posted', String(stats.totalTasksCreated)],
          ['Paid', String(stats.completedCount)],
          ['Ended without a decision', String(stats.expiredNoActionCount + stats.staleCount)],
          stats.selfAwardCount === 0 ? null : ['Paid to their own wallet', String(stats.selfAwardCount)],
        ])
  return html`<div class="tight requester"><h2 class="h3">Requester</h2><p>${requesterLink(task.requester, task.requesterAgentId)} <small>${task.requesterActorType === 'agent' ? 'an agent' : 'a person'}</small></p>${rows}</div>`
}

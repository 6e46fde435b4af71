import { html } from 'hono/html'
import { agentLink, type Explorer, requesterLink } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { counted } from '../../html/money.ts'
import { at, relative } from '../../html/time.ts'
import { amount } from '../../words/amount.ts'
import { movementWords } from '../../words/movements.ts'
import { stateOf } from '../../words/states.ts'
import type { TaskFacts } from './load-task.ts'
import { upcoming } from './upcoming.ts'

/** An event in the history of a task. */
interface Event {
  at: string
  /** Order among events of the same time; the event with the lower number comes first. */
  order: number
  text: Child
  transaction: string | null
}

/**
 * Maximum number of entries that the timeline shows one by one. Above this number, the timeline shows the first and the
 * last entry, and the number of entries between these two.
 */
const MOST_ENTRIES = 12

/**
 * Renders the history of a task as a list: the past events with their transactions, then the current state, then the
 * future steps. The future steps assume that no account acts.
 */
export function timeline(facts: TaskFacts, { explorer, now }: { explorer: Explorer; now: number }): Html {
  const { task } = facts
  const pastEvents = eventsOf(facts).toSorted((a, b) => a.at.localeCompare(b.at) || a.order - b.order)
  const state = stateOf(task, now)
  const comes = upcoming(task, now)
  return html`<ol class="time">${pastEvents.map(
    (event) =>
      html`<li>${event.text} <small class="soft">${at(event.at)}${event.transaction === null ? '' : html` · ${explorer.transaction(event.transaction, 'transaction')}`}</small></li>`,
  )}<li class="now"><strong>${state.word}</strong> <small class="soft">${state.sentence}</small></li>
${comes.map((step) => html`<li class="next">${step.text}${step.at === null ? '' : html` <small>${at(step.at)}, ${relative(step.at, now)}</small>`}</li>`)}</ol>`
}

function eventsOf(facts: TaskFacts): Event[] {
  const { task, claim } = facts
  return [
    {
      at: task.createdAt,
      order: 0,
      text: html`Posted by ${requesterLink(task.requester, task.requesterAgentId)}, ${amount(fundedReward(facts), 6)} USDC into escrow`,
      transaction: task.escrowTxHash,
    },
    ...moneyEvents(facts),
    ...entryEvents(facts),
    ...assignmentEvents(facts, claim?.claimedAt ?? null),
    ...task.awards.map(
      (award): Event => ({
        at: award.settledAt,
        order: 5,
        text: html`${agentLink(award.workerAddress, award.workerAgentId)} is paid ${amount(award.workerPayment, 6)} USDC`,
        transaction: award.settlementTxHash,
      }),
    ),
    ...facts.feedbacks.map(
      (feedback): Event => ({
        at: feedback.createdAt,
        order: 6,
        text: html`The requester rates ${agentLink(feedback.workerAddress)} ${feedback.rating} of 100`,
        transaction: feedback.ratingTxHash,
      }),
    ),
    ...resolutionEvents(facts),
  ]
}

/** Returns the reward in base units of USDC at the creation of the task. */
function fundedReward({ task, movements }: TaskFacts): string {
  return movements.find(({ kind }) => kind === 'funded')?.amount ?? task.reward
}

/**
 * Kinds of movements that the timeline shows as events of their own. Awards and the funding at the task's creation are
 * not in the list, because the events `paid` and `posted` already name their amounts.
 */
const toldKinds = new Set([
  'topped_up',
  'reduced',
  'refunded',
  'surplus_returned',
  'unawarded_returned',
  'evaluator_fee',
  'stake_taken',
  'stake_returned',
  'stake_forfeited',
  'credited',
])

function moneyEvents({ movements }: TaskFacts): Event[] {
  return movements
    .filter(({ kind }) => toldKinds.has(kind))
    .map(({ kind, timestamp, amount: units, transactionHash }) => ({
      at: timestamp,
      order: 4,
      text: html`${movementWords[kind]}: ${amount(units, 6)} USDC`,
      transaction: transactionHash,
    }))
}

function entryEvents({ task, submissions, pitches, bids }: TaskFacts): Event[] {
  const events = [
    ...submissions.map(
      (row): Event => ({
        at: row.submittedAt,
        order: 2,
        text: html`${agentLink(row.workerAddress, row.workerAgentId)} delivers`,
        transaction: row.submitTxHash,
      }),
    ),
    ...pitches.map(
      (row): Event => ({
        at: row.submittedAt,
        order: 1,
        text: html`${agentLink(row.workerAddress, row.workerAgentId)} pitches`,
        transaction: null,
      }),
    ),
    ...bids.flatMap((row): Event[] =>
      row.workerAddress === null || row.price === null
        ? []
        : [
            {
              at: row.createdAt,
              order: 1,
              text: html`${agentLink(row.workerAddress, row.workerAgentId)} bids ${amount(row.price, 6)} USDC`,
              transaction: null,
            },
          ],
    ),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
  const rejections = submissions.flatMap((row): Event[] =>
    row.rejectedAt === null
      ? []
      : [
          {
            at: row.rejectedAt,
            order: 3,
            text: html`The entry of ${agentLink(row.workerAddress)} is rejected`,
            transaction: null,
          },
        ],
  )
  const [first] = events
  const last = events.at(-1)
  if (events.length <= MOST_ENTRIES || first === undefined || last === undefined) return [...events, ...rejections]
  const others = counted(
    events.length - 2,
    task.mode === 'pitch' ? 'more pitch' : 'more entry',
    task.mode === 'pitch' ? 'more pitches' : 'more entries',
  )
  return [first, { at: last.at, order: 1, text: others, transaction: null }, last, ...rejections]
}

function assignmentEvents({ task }: TaskFacts, claimedAt: string | null): Event[] {
  const since = task.claimedAt ?? claimedAt
  if (task.claimedBy === null || since === null || task.mode === 'bounty' || task.mode === 'benchmark') return []
  const deed = { claim: 'claims the task', pitch: 'is selected', auction: 'has the task' }[task.mode]
  return [
    { at: since, order: 1, text: html`${agentLink(task.claimedBy, task.workerAgentId)} ${deed}`, transaction: null },
  ]
}

function resolutionEvents({ task: { resolution } }: TaskFacts): Event[] {
  if (resolution === null) return []
  const verdict = resolution.verdict === 'APPROVE' ? 'approves the work' : 'splits the reward'
  return [{ at: resolution.resolvedAt, order: 4, text: html`The resolver ${verdict}`, transaction: null }]
}

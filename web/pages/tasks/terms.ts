import { html } from 'hono/html'
import { agentLink, type Explorer, short, whole } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { facts, section } from '../../html/layout.ts'
import { money, percent } from '../../html/money.ts'
import { inline } from '../../html/text.ts'
import { at, seconds } from '../../html/time.ts'
import type { TaskDetail } from '../../http/rows.ts'
import { modeOf } from '../../words/modes.ts'
import { submissionVisibilityWords, taskVisibilityWords } from '../../words/visibility.ts'
import { clockCurve } from './clock-curve.ts'

/** Renders the terms of a task. Hashes are shown in full for comparison. */
export function terms(task: TaskDetail, explorer: Explorer, now: number): Html {
  const words = modeOf(task)
  const { evaluator } = task
  const rows = facts([
    ['How it is won', html`${words.name}: ${words.ends}`],
    ['Who sees deliveries', submissionVisibilityWords[task.submissionVisibility]],
    task.taskVisibility === 'public' ? null : ['Who sees the task', taskVisibilityWords[task.taskVisibility]],
    ['Ends', at(task.expiryTime)],
    task.pitchDeadline === null ? null : ['Pitches until', at(task.pitchDeadline)],
    task.bidDeadline === null ? null : ['Bids until', at(task.bidDeadline)],
    task.auctionStartPrice === null ? null : ['First price', money(task.auctionStartPrice)],
    task.auctionFloorPrice === null ? null : ['Lowest price', money(task.auctionFloorPrice)],
    task.metricDescription === null ? null : ['Measured', inline(task.metricDescription)],
    task.metricTarget === null ? null : ['Target', inline(task.metricTarget)],
    task.stakeRequired
      ? [
          'Stake of the worker',
          html`${percent(task.stakeBps)} of the reward; the worker loses it if nothing is delivered`,
        ]
      : null,
    ['Platform fee', html`${percent(task.platformFeeBps)} of what is paid`],
    ['Evaluator', evaluator === null ? 'none: the requester decides' : agentLink(evaluator)],
    ...evaluatorRows(task),
    task.taskDrop === null
      ? null
      : ['Collection', html`<a href="/drops/${task.taskDrop.id}">${inline(task.taskDrop.name)}</a>`],
    task.hooks.length === 0 ? null : ['Hook contracts', task.hooks.map((hook) => html`${explorer.account(hook)} `)],
  ])
  const curve = clockCurve(task, now)
  return section(
    'Terms',
    html`${curve}${rows}<details><summary>Ids and hashes</summary>${facts([
      ['Task id', whole(task.id)],
      ['Reference', whole(task.referenceCode)],
      task.termsHash === null ? null : ['Terms hash', whole(task.termsHash)],
      ['Escrow transaction', explorer.transaction(task.escrowTxHash)],
    ])}</details>`,
  )
}

function evaluatorRows(task: TaskDetail): (readonly [Child, Child] | null)[] {
  if (task.evaluator === null) return []
  return [
    ['Evaluator’s fee', percent(task.evaluatorFeeBps ?? 0)],
    task.evaluationWindow === null ? null : ['Time to decide', seconds(task.evaluationWindow)],
    task.appealWindow === null ? null : ['Time to appeal', seconds(task.appealWindow)],
    [
      'Who settles appeals',
      task.disputeResolver === null ? 'no one: a verdict cannot be appealed' : agentLink(task.disputeResolver),
    ],
  ]
}

const verdictWords = { APPROVE: 'approves the work', REJECT: 'rejects the work', PARTIAL: 'awards a part' } as const

/** Renders the evaluator's verdict, and the possible next steps. */
export function verdict(task: TaskDetail): Child {
  const { verdictType, evaluator, resolution } = task
  if (verdictType === null) return null
  const score = (value: number | null) => (value === null ? null : `${value / 10} of 100`)
  const follows =
    task.status === 'appealing'
      ? task.disputeResolver === null
        ? 'No one was named to settle appeals: it takes effect when its time is over.'
        : 'It can be appealed until its time is over; then anyone can put it into effect.'
      : task.status === 'disputed'
        ? 'It was appealed; the resolver decides.'
        : null
  return section(
    'Verdict',
    html`<p>${evaluator === null ? 'The evaluator' : agentLink(evaluator)} ${verdictWords[verdictType]}.${follows === null ? '' : ` ${follows}`}</p>
${facts([
  score(task.verdictScore) === null ? null : ['Score', score(task.verdictScore)],
  score(task.verdictConfidence) === null ? null : ['Confidence', score(task.verdictConfidence)],
  task.verdictEvidenceHash === null || /^0x0+$/.test(task.verdictEvidenceHash)
    ? null
    : ['Evidence', short(task.verdictEvidenceHash)],
  resolution === null
    ? null
    : [
        'Resolver',
        html`${agentLink(resolution.resolver)} ${resolution.verdict === 'APPROVE' ? 'approves the work' : 'splits the reward'}, ${at(resolution.resolvedAt)}`,
      ],
])}`,
  )
}

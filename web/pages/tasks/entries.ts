import { html } from 'hono/html'
import { agentLink } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { section } from '../../html/layout.ts'
import { webUrl } from '../../html/markdown.ts'
import { column, counted, grouped, money } from '../../html/money.ts'
import { block, inline } from '../../html/text.ts'
import { relative } from '../../html/time.ts'
import type { Bid, Pitch, Proof, Submission, TaskDetail } from '../../http/rows.ts'
import { byteCount } from '../../words/byte-count.ts'
import { curationWords } from '../../words/curation.ts'
import { plain } from '../../words/text.ts'
import type { TaskFacts } from './load-task.ts'
import { taskUrl } from './task-row.ts'

/** Renders the public entries to a task: pitches, bids, proofs and submissions. */
export function entries(facts: TaskFacts, now: number): Child {
  const { task, pitches, bids, proofs, submissions } = facts
  const parts = [
    pitches.length > 0 ? pitchSection(task, pitches, now) : null,
    bids.length > 0 ? bidSection(bids, now) : null,
    proofs.length > 0 ? proofSection(proofs, now) : null,
    submissions.length > 0 && proofs.length === 0 ? submissionSection(task, submissions, now) : null,
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts : nothingYet(facts)
}

function nothingYet({ task }: TaskFacts): Child {
  const isHidden = task.submissionCount > 0
  if (isHidden) {
    const count = counted(task.submissionCount, 'entry', 'entries')
    return section('Entries', html`<p class="soft">${count}. The terms below say who sees them.</p>${place(task)}`)
  }
  if (task.phase === 'resolved') return null
  return section('Entries', html`<p class="soft">None yet.</p>`)
}

/** Renders an empty element for entries that only some wallets may see. A script fills it for the connected wallet. */
function place({ id }: TaskDetail): Html {
  return html`<div class="tight" data-entries="${id}"></div>`
}

function submissionSection(task: TaskDetail, rows: readonly Submission[], now: number): Html {
  const remainingCount = task.submissionCount - rows.length
  const visibility = task.submissionVisibility === 'public' ? 'visible to everyone' : 'those that everyone may see'
  const content = html`${rows.map((row) => submission(task, row, now))}${remainingCount > 0 ? html`<p class="soft">${counted(remainingCount, 'more entry', 'more entries')} not shown here.</p>${place(task)}` : ''}`
  return section('Entries', content, `${task.submissionCount}, ${visibility}`)
}

function submission(task: TaskDetail, row: Submission, now: number): Html {
  const award = task.awards.find(({ workerAddress }) => workerAddress === row.workerAddress)
  return html`<article class="entry${row.rejectedAt === null ? '' : ' rejected'}" id="${row.referenceCode}">
<p class="row"><strong>${agentLink(row.workerAddress, row.workerAgentId)}</strong> <small>${record(row.workerStats)}</small> <small>${relative(row.submittedAt, now)}</small>${mark(row, award !== undefined)}</p>
${files(task, row)}</article>`
}

function mark({ rejectedAt }: Submission, isPaid: boolean): Child {
  if (rejectedAt !== null) return html` <span class="state bad">Rejected</span>`
  return isPaid ? html` <span class="state done">Paid</span>` : null
}

function record(stats: Submission['workerStats'] | undefined): string {
  if (stats == null || stats.completedTasks === 0) return 'no paid task yet'
  const rating = stats.averageRating === null ? '' : `, rated ${Math.round(stats.averageRating)} of 100`
  return `${counted(stats.completedTasks, 'paid task')}${rating}`
}

/** Renders the names of files as links. Each click creates a new download URL, because the URLs expire soon. */
function files(task: TaskDetail, { id, artifacts, deliverableHash, submitTxHash }: Submission): Html {
  if (artifacts.length === 0) return html`<p class="soft">Without files.</p>`
  const rows = artifacts.map((artifact) => {
    const text =
      artifact.textPreview === undefined
        ? ''
        : html`<details><summary>First lines</summary>${block(artifact.textPreview)}</details>`
    return html`<li data-file="${artifact.id}" data-order="${artifact.displayOrder}" data-size="${artifact.sizeBytes}" data-type="${artifact.mimeType}" data-kind="${artifact.mediaKind}"><a data-name href="${taskUrl(task)}/files/${artifact.id}" rel="nofollow">${inline(artifact.fileName)}</a> <small>${byteCount(artifact.sizeBytes)}, ${artifact.mediaKind === 'unknown' ? 'file' : artifact.mediaKind}${artifact.role === 'final' ? '' : `, ${artifact.role}`}</small>${text}</li>`
  })
  return html`<ul class="files" data-delivery="${id}" data-task="${task.id}" data-hash="${deliverableHash ?? ''}" data-transaction="${submitTxHash ?? ''}">${rows}</ul>`
}

function pitchSection(task: TaskDetail, rows: readonly Pitch[], now: number): Html {
  const content = rows.map(
    (
      row,
    ) => html`<article class="entry"><p class="row"><strong>${agentLink(row.workerAddress, row.workerAgentId)}</strong> <small>${row.workerStats === undefined ? 'no paid task yet' : record({ ...row.workerStats, ratedTasks: 0, totalStars: 0 })}</small> <small>${relative(row.submittedAt, now)}</small>${pitchMark(row)}</p>
${block(row.pitchText)}${row.estimatedDuration === null ? '' : html`<p><small>Would take ${counted(row.estimatedDuration, 'hour')}.</small></p>`}</article>`,
  )
  return section('Pitches', content, String(task.pitchCount))
}

function pitchMark({ status }: Pitch): Child {
  if (status === 'selected') return html` <span class="state open">Selected</span>`
  return status === 'rejected' ? html` <span class="state done">Not selected</span>` : null
}

function bidSection(rows: readonly Bid[], now: number): Html {
  const isSealed = rows.every(({ price }) => price === null)
  if (isSealed) {
    const count = counted(rows.length, 'sealed bid')
    return section('Bids', html`<p class="soft">${count}: who bids, and how much, is shown when bidding ends.</p>`)
  }
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Bids"><table><thead><tr><th scope="col">Worker</th><th scope="col">When</th><th scope="col" class="n">USDC</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${row.workerAddress === null ? html`<span class="soft">sealed</span>` : agentLink(row.workerAddress, row.workerAgentId)}</td><td>${row.price === null ? '' : relative(row.createdAt, now)}</td><td class="n">${row.price === null ? html`<span class="soft">sealed</span>` : column(row.price)}</td></tr>`,
  )}</tbody></table></div>`
  return section('Bids', table, String(rows.length))
}

function proofSection(rows: readonly Proof[], now: number): Html {
  const content = rows.map(
    (
      row,
    ) => html`<article class="entry"><p class="row"><strong>${agentLink(row.workerAddress, row.workerAgentId)}</strong> <span class="money">${measured(row.metricValue)}</span> <small>${relative(row.submittedAt, now)}</small>${row.status === 'verified' ? html` <span class="state done">Paid</span>` : row.status === 'rejected' ? html` <span class="state bad">Rejected</span>` : ''}</p>
<p dir="auto" class="plain">${proofText(row)}</p></article>`,
  )
  return section('Proofs', content, String(rows.length))
}

function measured(value: string): string {
  return /^\d+$/.test(value) ? grouped(value) : plain(value)
}

/** Renders a proof. A proof that is an http or https URL becomes a link. */
function proofText({ proofType, proofData }: Proof): Child {
  const href = proofType === 'url' ? webUrl(proofData) : null
  if (href === null) return plain(proofData)
  return html`<a href="${href}" rel="nofollow noopener ugc" referrerpolicy="no-referrer">${plain(proofData)}</a>`
}

/** Renders the awards of a task. Each row shows a worker, the worker's rating, the payment and the fees. */
export function awards({ task, feedbacks }: TaskFacts): Child {
  if (task.awards.length === 0) return null
  const ofWorker = (address: string) => feedbacks.find(({ workerAddress }) => workerAddress === address)
  const rows = task.awards.map((award) => {
    const text = ofWorker(award.workerAddress)?.feedbackText ?? null
    return html`<tr><td>${agentLink(award.workerAddress, award.workerAgentId)}${award.rating === null ? '' : html`<br><small class="soft">rated ${award.rating} of 100${text === null ? '' : html`: ${inline(text)}`}</small>`}</td><td class="n">${column(award.workerPayment)}</td><td class="n">${column(award.platformFee)}</td><td class="n">${column(award.grossAmount)}</td></tr>`
  })
  return section(
    'Paid out',
    html`<div class="scroll" tabindex="0" role="region" aria-label="Awards"><table><thead><tr><th scope="col">Worker</th><th scope="col" class="n">Received</th><th scope="col" class="n">Fees</th><th scope="col" class="n">In all</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  )
}

/** Renders the rewards that sponsors pay in addition to the reward in USDC. */
export function sponsorRewards(task: TaskDetail): Child {
  const rewards = task.sponsoredTaskRewards ?? []
  if (rewards.length === 0) return null
  const words = {
    reserved: 'reserved for the winners',
    credited: 'winners can claim it',
    claimed: 'claimed',
    released: 'went back to the sponsor',
    defaulted: 'the sponsor took it back before it was claimed',
  } as const
  const rows = rewards.map(
    (reward) =>
      html`<li>${money(reward.netAmount, { symbol: reward.tokenSymbol ?? 'tokens', decimals: reward.tokenDecimals })} <small class="soft">${words[reward.state]}; <a href="/vaults/${reward.vaultId}">vault of the sponsor</a>, ${curationWords[reward.curationStatus]}</small></li>`,
  )
  return section('Reward of a sponsor', html`<ul class="tight">${rows}</ul>`)
}

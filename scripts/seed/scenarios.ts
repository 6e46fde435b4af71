import type { SeedClient } from './seed-client.ts'

/**
 * Functions that each create one demo task and bring it into a certain state. They are independent and run side by
 * side.
 */
export const scenarios: ((client: SeedClient) => Promise<void>)[] = [
  waitsForSubmissions,
  hasSubmissions,
  isCompletedByOne,
  isSplitAmongTwo,
  isCancelled,
  isUpdated,
  isUnlisted,
  isRefunded,
  awaitsRefund,
  awaitsDecision,
  isClaimed,
]

/** A short deadline of two seconds, in hours. The creation of demo tasks waits for this deadline. */
const aMomentHours = 2 / 3600

async function waitsForSubmissions({ createTask }: SeedClient): Promise<void> {
  await createTask('requester', 'open', {
    description: 'Write alt texts for 40 product photos\n\nOne sentence each, under 120 characters, as a CSV.',
    reward: '25000000',
    tags: ['writing', 'accessibility'],
  })
}

async function hasSubmissions({ createTask, submit, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'contest', {
    description: 'Summarise the escrow contract for readers who know no Solidity\n\nAt most 400 words.',
    reward: '40000000',
    tags: ['writing', 'solidity'],
  })
  await Promise.all([
    submit('alice', 'contest alice', { taskId, fileName: 'summary.md', text: 'Money waits in the contract until ...' }),
    submit('bob', 'contest bob', { taskId, fileName: 'summary.md', text: 'lorem ipsum' }),
  ])
  const body = { taskId, worker: addressOf('bob') }
  await act('carol', 'contest reject', { taskId, path: '/reject-submission', body })
}

async function isCompletedByOne({ createTask, submit, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'single', {
    description: 'Find every broken link in the documentation\n\nA list of page and link, checked today.',
    reward: '15000000',
    tags: ['qa', 'docs'],
  })
  await submit('alice', 'single alice', { taskId, fileName: 'links.md', text: '- /guide: 404 on ./old-page' })
  const worker = addressOf('alice')
  await act('requester', 'single accept', { taskId, path: '/accept', body: { taskId, worker } })
  const rating = { taskId, worker, rating: 95, feedbackText: 'Complete, and a day early.' }
  await act('requester', 'single rate', { taskId, path: '/rate', body: rating })
}

async function isSplitAmongTwo({ createTask, submit, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'split', {
    description: 'Collect opening hours of 30 libraries\n\nTwo people may share it.',
    reward: '30000000',
    tags: ['research'],
    submissionVisibility: 'winner_only',
  })
  await Promise.all([
    submit('alice', 'split alice', { taskId, fileName: 'hours-a.md', text: '| library | hours |' }),
    submit('bob', 'split bob', { taskId, fileName: 'hours-b.md', text: '| library | hours |' }),
  ])
  const winners = [
    { worker: addressOf('alice'), share: 6000 },
    { worker: addressOf('bob'), share: 4000 },
  ]
  await act('carol', 'split accept', { taskId, path: '/accept-submissions', body: { taskId, winners } })
  const rating = { taskId, worker: addressOf('bob'), rating: 70, feedbackText: 'Good, three rows were missing.' }
  await act('carol', 'split rate', { taskId, path: '/rate', body: rating })
}

async function isCancelled({ createTask, act }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'cancelled', {
    description: 'Record a voice-over for a one-minute video',
    reward: '10000000',
    tags: ['audio'],
  })
  await act('requester', 'cancel', { taskId, path: '/cancel' })
}

async function isUpdated({ createTask, act }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'updated', {
    description: 'Translate the landing page into Portuguese',
    reward: '12000000',
    tags: ['translation'],
  })
  const body = { reward: '18000000', description: 'Translate the landing page into Brazilian Portuguese' }
  await act('requester', 'update', { taskId, path: '/update', body })
}

async function isUnlisted({ createTask }: SeedClient): Promise<void> {
  await createTask('carol', 'unlisted', {
    description: 'Review this pull request for security\n\nShared by its link only.',
    reward: '50000000',
    tags: ['review'],
    taskVisibility: 'unlisted',
  })
}

async function isRefunded({ createTask, act, untilExpired }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'refunded', {
    description: 'Name a cat within the next moment',
    reward: '2000000',
    duration: aMomentHours,
    tags: ['naming'],
  })
  await untilExpired(taskId)
  await act('requester', 'refund', { taskId, path: '/refund-expired' })
}

async function awaitsRefund({ createTask, untilExpired }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'due', {
    description: 'Name a dog within the next moment',
    reward: '2000000',
    duration: aMomentHours,
    tags: ['naming'],
  })
  await untilExpired(taskId)
}

/** Creates a task whose deadline is a minute away. The creation of demo tasks does not wait for this deadline. */
async function awaitsDecision({ createTask, submit }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'undecided', {
    description: 'Suggest a motto for the office parrot',
    reward: '3000000',
    // The submission must be in time on a slow machine, too, where all tasks are created at the same moment.
    duration: 30 * aMomentHours,
    tags: ['naming'],
  })
  await submit('bob', 'undecided bob', { taskId, fileName: 'motto.md', text: 'Repeat after me.' })
}

async function isClaimed({ createTask, claim }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'claimed', {
    description: 'Proofread the user guide\n\nOne person, who puts a tenth of the reward at stake.',
    reward: '20000000',
    mode: 'claim',
    stakeRequired: true,
    stakeBps: 1000,
    tags: ['writing', 'docs'],
  })
  await claim('alice', 'claimed alice', taskId)
}

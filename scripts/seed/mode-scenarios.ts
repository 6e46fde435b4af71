import type { SeedClient } from './seed-client.ts'

/**
 * Functions that create demo tasks: one for each mode that assigns workers in another way than by a claim, and one for
 * each kind of task that an evaluator decides.
 */
export const modeScenarios: ((client: SeedClient) => Promise<void>)[] = [
  awaitsPitches,
  isDelivered,
  isMeasured,
  isBidFor,
  isSealed,
  getsCheaper,
  isTaken,
  isReviewed,
  isJudged,
  isPrivate,
  isInADrop,
]

/** Returns the fields of an auction. Its maximum price is its reward, which is in escrow. */
const atMost = (reward: string) => ({ mode: 'auction', reward, maxPrice: reward })

async function awaitsPitches({ createTask, pitch }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'pitches', {
    description: 'Design a logo for a bakery\n\nPitch your idea in three sentences; one of you draws it.',
    reward: '60000000',
    mode: 'pitch',
    tags: ['design'],
  })
  await Promise.all([
    pitch('alice', 'pitches alice', taskId, 'An ear of wheat that is also a smile, in one line of ink.'),
    pitch('bob', 'pitches bob', taskId, 'The street at dawn, seen through the oven door.'),
  ])
}

async function isDelivered({ createTask, pitch, pitchIdOf, submit, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'pitched', {
    description: 'Write the speech for a retirement party',
    reward: '35000000',
    mode: 'pitch',
    tags: ['writing'],
  })
  await pitch('alice', 'pitched alice', taskId, 'Forty years in six anecdotes, the last of them true.')
  const body = { taskId, pitchId: await pitchIdOf('alice', taskId), workerAddress: addressOf('alice') }
  await act('carol', 'pitched select', { taskId, path: '/pitches/select', body })
  await submit('alice', 'pitched delivery', { taskId, fileName: 'speech.md', text: 'Dear Margaret, ...' })
}

async function isMeasured({ createTask, prove, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'benchmark', {
    description: 'Shrink the product photos\n\nSame quality; the fewest kilobytes win.',
    reward: '45000000',
    mode: 'benchmark',
    metricDescription: 'Sum of all file sizes, kilobytes',
    metricTarget: '900',
    tags: ['images'],
  })
  await Promise.all([
    prove('alice', 'benchmark alice', { taskId, data: 'https://example.org/alice/photos', metricValue: '871' }),
    prove('bob', 'benchmark bob', { taskId, data: 'https://example.org/bob/photos', metricValue: '902' }),
  ])
  const worker = addressOf('alice')
  await act('requester', 'benchmark accept', { taskId, path: '/accept', body: { taskId, worker } })
  await act('requester', 'benchmark rate', { taskId, path: '/rate', body: { taskId, worker, rating: 88 } })
}

async function isBidFor({ createTask, bid }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'english', {
    ...atMost('80000000'),
    description: 'Transcribe four hours of interviews\n\nThe lowest bid takes it.',
    auctionType: 'english',
    bidDeadline: 24,
    tags: ['audio'],
  })
  await bid('alice', 'english alice', { taskId, price: '70000000' })
  await bid('bob', 'english bob', { taskId, price: '64000000' })
}

async function isSealed({ createTask, bid }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'sealed', {
    ...atMost('90000000'),
    description: 'Audit a spreadsheet of 3000 rows\n\nBids stay sealed until the deadline.',
    auctionType: 'reverse_english',
    bidDeadline: 24,
    tags: ['qa'],
  })
  await Promise.all([
    bid('alice', 'sealed alice', { taskId, price: '75000000' }),
    bid('bob', 'sealed bob', { taskId, price: '82000000' }),
  ])
}

async function getsCheaper({ createTask }: SeedClient): Promise<void> {
  await createTask('requester', 'dutch', {
    ...atMost('50000000'),
    description: 'Water the office plants for a month\n\nThe price falls for a day; the first to take it has it.',
    auctionType: 'dutch',
    auctionFloorPrice: '20000000',
    bidDeadline: 24,
    tags: ['chores'],
  })
}

async function isTaken({ createTask, act }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'clock', {
    ...atMost('40000000'),
    description: 'Deliver a parcel across town',
    auctionType: 'reverse_dutch',
    auctionStartPrice: '15000000',
    bidDeadline: 24,
    tags: ['chores'],
  })
  await act('bob', 'clock accept', { taskId, path: '/bids/accept', body: { taskId } })
}

async function isReviewed({ createTask, claim, submit, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('requester', 'reviewed', {
    description: 'Port the parser to Rust\n\nAn evaluator reads the code before a worker is paid.',
    reward: '120000000',
    mode: 'claim',
    evaluator: addressOf('evaluator'),
    evaluatorFeeBps: 500,
    disputeResolver: addressOf('resolver'),
    tags: ['rust'],
  })
  await claim('alice', 'reviewed claim', taskId)
  await submit('alice', 'reviewed delivery', { taskId, fileName: 'parser.md', text: 'See src/parser.rs' })
}

async function isJudged({ createTask, submit, act, addressOf }: SeedClient): Promise<void> {
  const taskId = await createTask('carol', 'judged', {
    description: 'Explain merkle trees to a child\n\nAn evaluator shares the reward out.',
    reward: '20000000',
    evaluator: addressOf('evaluator'),
    evaluatorFeeBps: 1000,
    disputeResolver: addressOf('resolver'),
    tags: ['writing'],
  })
  await Promise.all([
    submit('alice', 'judged alice', { taskId, fileName: 'tree.md', text: 'Imagine a family tree of fingerprints ...' }),
    submit('bob', 'judged bob', { taskId, fileName: 'tree.md', text: 'A tree is a graph without cycles.' }),
  ])
  const awards = [
    { worker: addressOf('alice'), amount: '15000000', rank: 1 },
    { worker: addressOf('bob'), amount: '3000000', rank: 2 },
  ]
  // The whole escrow without the fee: before the expiry the market accepts no other verdict on a contest.
  const body = { taskId, verdict: 'approve', score: 800, awards }
  await act('evaluator', 'judged verdict', { taskId, path: '/evaluate', body })
}

async function isPrivate({ createTask, addressOf }: SeedClient): Promise<void> {
  await createTask('carol', 'private', {
    description: 'Proofread a confidential letter\n\nThe password is "open sesame".',
    reward: '8000000',
    taskVisibility: 'private',
    allowedViewers: [addressOf('alice')],
    accessPassword: 'open sesame',
    tags: ['writing'],
  })
}

async function isInADrop({ createTask }: SeedClient): Promise<void> {
  await createTask('requester', 'drop', {
    description: 'Find a name for the launch party',
    reward: '5000000',
    taskDropCreate: { name: 'Launch week', description: 'Small things that are needed before Friday.' },
    tags: ['naming'],
  })
}

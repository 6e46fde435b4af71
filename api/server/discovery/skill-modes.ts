/**
 * One write, with a valid body. The skill lists for each task mode the shortest sequence of such writes. The caller
 * replaces values in `<...>`.
 */
export interface SkillStep {
  who: 'requester' | 'worker'
  operationId: string
  body: Readonly<Record<string, unknown>>
  /** The text that the caller signs for the body, without the service's name at the beginning. */
  signs?: string
  /** The time from which the caller can do the step. Absent if the step has no earliest time. */
  when?: string
}

export interface SkillMode {
  name: string
  /** A sentence about how a task of this mode finds its worker. */
  about: string
  steps: readonly SkillStep[]
}

const creation = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'] }
const artifacts = [{ fileName: 'haiku.txt', mimeType: 'text/plain', file: '<base64>' }]
/**
 * The fields of a body that name the worker. `byPayment`: the payment proves who the worker is, so `signature` may be
 * any non-empty text. `byWorker`: the signature proves who the worker is.
 */
const byPayment = { workerAddress: '<worker>', signature: 'by payment' }
const byWorker = { workerAddress: '<worker>', signature: '<signature>' }

const create = (mode: string, terms: object = {}): SkillStep => ({
  who: 'requester',
  operationId: 'createTask',
  body: { ...creation, mode, ...terms },
})
const submit: SkillStep = {
  who: 'worker',
  operationId: 'createSubmission',
  signs: 'submit:<taskId>',
  body: { ...byWorker, artifacts },
}
const accept: SkillStep = { who: 'requester', operationId: 'acceptSubmission', body: { worker: '<worker>' } }
const rate: SkillStep = { who: 'requester', operationId: 'rateWorker', body: { worker: '<worker>', rating: 90 } }

/** The shortest sequence of writes from a task's creation to its payment, for each task mode. */
export const skillModes: readonly SkillMode[] = [
  { name: 'bounty', about: 'Many submit, the requester accepts one.', steps: [create('bounty'), submit, accept, rate] },
  {
    name: 'claim',
    about: 'The first who claims it works alone.',
    steps: [
      create('claim'),
      { who: 'worker', operationId: 'createClaim', signs: 'claim:<taskId>', body: byWorker },
      submit,
      accept,
    ],
  },
  {
    name: 'pitch',
    about: 'Many pitch, the requester selects one.',
    steps: [
      create('pitch', { pitchDeadline: 3600 }),
      {
        who: 'worker',
        operationId: 'createPitch',
        body: { ...byPayment, pitchText: 'I have written forty haiku' },
      },
      {
        who: 'requester',
        operationId: 'selectWorker',
        signs: 'select-worker:<taskId>:<pitchId>:<worker>',
        body: { pitchId: '<pitchId>', ...byWorker },
      },
      submit,
      accept,
    ],
  },
  {
    name: 'benchmark',
    about: 'Many prove a metric, the requester accepts one.',
    steps: [
      create('benchmark', { metricDescription: 'syllables', metricTarget: '17' }),
      {
        who: 'worker',
        operationId: 'createProof',
        body: { ...byPayment, proofData: 'https://example.com/run', proofType: 'url' },
      },
      accept,
    ],
  },
  {
    name: 'auction with bids',
    about: 'The lowest bid gets the work, at its price.',
    steps: [
      create('auction', { auctionType: 'english', maxPrice: '2000000', bidDeadline: 12 }),
      { who: 'worker', operationId: 'createBid', body: { price: '1500000' } },
      { who: 'requester', operationId: 'selectWinner', when: 'after `bidDeadline`', body: {} },
      submit,
      accept,
    ],
  },
  {
    name: 'auction by the clock',
    about: 'The first who accepts the present price gets the work.',
    steps: [
      create('auction', {
        auctionType: 'dutch',
        maxPrice: '2000000',
        auctionFloorPrice: '500000',
        bidDeadline: 12,
      }),
      { who: 'worker', operationId: 'acceptAuction', body: {} },
      submit,
      accept,
    ],
  },
]

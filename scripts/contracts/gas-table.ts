import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { contractsRoot, repositoryRoot } from './paths.ts'

/** A row of the table: one operation. */
interface Row {
  operation: string
  /**
   * Names of measured figures. `relayed`: the whole relayed transaction. `direct`: a call that an account sends itself.
   */
  relayed?: string
  direct?: string
  /** Gas that a comparable design needs for the action without the payment, in thousands; null if it is not known. */
  reference: number | null
  /** True if the operation was measured only without a bonus programme. Default false. */
  isWithoutBonus?: true
}

/** Prefix of figures measured with a bonus programme as the default hook. */
export const withBonus = 'with bonus: '

const rows: Row[] = [
  { operation: 'create a bounty, three tags', relayed: 'paid.createTask bounty', reference: 297 },
  { operation: 'create a bounty, three tags', relayed: 'bound.createTask bounty', reference: 297 },
  { operation: 'create a dutch auction, three tags', relayed: 'paid.createTask auction', reference: 358 },
  { operation: 'create a claim with stake, three tags', relayed: 'paid.createTask claim', reference: null },
  { operation: 'create with an evaluator', relayed: 'paid.createTask evaluated', reference: null },
  {
    operation: 'create with a new list of two hooks',
    relayed: 'paid.createTask with a new list of 2 hooks',
    reference: null,
  },
  {
    operation: 'create with a known list of two hooks',
    relayed: 'paid.createTask with a known list of 2 hooks',
    reference: null,
  },
  both('claim', 'signed', 'claimTask', 145),
  { operation: 'claim', relayed: 'call-bound.claimTask', reference: 145 },
  both('claim with stake', 'paid', 'claimTask with stake', 183),
  { operation: 'claim with stake', relayed: 'bound.claimTask with stake', reference: 183 },
  both('submit, assigned worker', 'signed', 'submitWork', 99),
  { operation: 'submit, assigned worker', relayed: 'call-bound.submitWork', reference: 99 },
  both('submit to a contest, first of a worker', 'signed', 'submitWork to a contest', 99),
  { operation: 'submit to a contest, again', relayed: 'signed.submitWork to a contest again', reference: 99 },
  both('submit a proof', 'paid', 'submitProof', null),
  both('accept', 'paid', 'acceptSubmission', 200),
  { operation: 'accept', relayed: 'bound.acceptSubmission', reference: 200 },
  both('accept, stake returned', 'paid', 'acceptSubmission with stake', null),
  both('accept among two', 'paid', 'acceptSubmissions among 2', null),
  both('reject a worker', 'paid', 'rejectSubmissions', null),
  both('bid, first of a worker', 'paid', 'submitBid first', 170),
  { operation: 'bid, first of a worker', relayed: 'bound.submitBid first', reference: 170 },
  both('bid, lower', 'paid', 'submitBid lower', 136),
  both('select the lowest bidder', 'open', 'selectLowestBidder', 123),
  both('accept a clock price', 'paid', 'acceptAuction', 122),
  both('pitch', 'paid', 'submitPitch', null),
  both('select a worker', 'paid', 'selectWorker', 99),
  both('rate', 'paid', 'rateTask', 122),
  { operation: 'rate, with ERC-8004 feedback', relayed: 'paid.rateTask with ERC-8004 feedback', reference: null },
  both('cancel', 'paid', 'cancelTask', 98),
  both('update, extending', 'paid', 'updateTask extending', 124),
  { operation: 'update, raising the reward', relayed: 'paid.updateTask raising the reward', reference: 124 },
  both('forfeit', 'signed', 'forfeitAndReopen', 91),
  { operation: 'forfeit a stake', relayed: 'signed.forfeitAndReopen with stake', reference: null },
  both('refund an expired task', 'paid', 'refundExpired', null),
  { operation: 'refund an expired task, direct', direct: 'direct.refundExpired', reference: 64 },
  both('assign an evaluator', 'paid', 'assignEvaluator', null),
  both('finalize a verdict', 'open', 'finalizeVerdict', null),
  both('object to a delivery', 'paid', 'objectToDelivery', null),
  {
    operation: 'create, charging a vault',
    relayed: 'paid.createTask sponsored',
    reference: null,
    isWithoutBonus: true,
  },
  {
    operation: 'accept, crediting a reward',
    relayed: 'paid.acceptSubmission sponsored',
    direct: 'direct.acceptSubmission sponsored',
    reference: null,
    isWithoutBonus: true,
  },
  {
    operation: 'install a settlement of one',
    relayed: 'open.installSettlement',
    reference: null,
    isWithoutBonus: true,
  },
  {
    operation: 'install a settlement of fifty',
    relayed: 'open.installSettlement of fifty',
    reference: null,
    isWithoutBonus: true,
  },
  {
    operation: 'claim a reward',
    relayed: 'open.claimTo',
    direct: 'direct.claimTo',
    // A plain distributor takes 92k; nonce, totals and the clone 25k. Without the check of the signature.
    reference: 117,
    isWithoutBonus: true,
  },
]

/** Prefix of figures that compare calls with and without a hook. */
export const hookCost = 'hook: '

/** Figures with the prefix `hookCost`, each with words for the measured call. */
const hookCalls: readonly [string, string][] = [
  ['createTask, new list', 'a creation with a new list of hooks'],
  ['createTask, known list', 'one with a known list'],
  ['claimTask', 'a claim'],
  ['submitWork', 'a submission'],
  ['acceptSubmission', 'an acceptance (two calls, and the awards’ hash)'],
  ['cancelTask', 'a cancellation'],
]

const start = '<!-- figures: written by scripts/contracts/test.ts --update-gas -->\n'

/** The documents with gas figures. `write` returns the text that follows the marker comment in the document. */
const documents = [
  { path: join(contractsRoot, '..', 'docs', 'build', 'gas.md'), write: renderTable },
  { path: join(contractsRoot, 'README.md'), write: renderHookCost },
]

/** Writes the figures into the documents. They replace everything after the marker comment. */
export function writeGasTable(figures: Record<string, number>): void {
  for (const { path, write } of documents) writeFileSync(path, render(readFileSync(path, 'utf8'), write(figures)))
}

/** Lists the documents that show other figures than the given ones. */
export function findGasTableProblems(figures: Record<string, number>): string[] {
  return documents.flatMap(({ path, write }) => {
    const text = readFileSync(path, 'utf8')
    const isSame = text === render(text, write(figures))
    return isSame ? [] : [`${relative(repositoryRoot, path)} shows other figures than snapshots/ (--update-gas)`]
  })
}

function render(text: string, figures: string): string {
  return `${text.slice(0, text.indexOf(start) + start.length)}\n${figures}`
}

function renderHookCost(figures: Record<string, number>): string {
  const costs = hookCalls.map(([name, words]) => {
    const [without, hookedGas] = ['', ' with a hook'].map((suffix) =>
      get(figures, `${hookCost}direct.${name}${suffix}`),
    )
    return `${thousands((hookedGas ?? 0) - (without ?? 0))} to ${words}`
  })
  return `Gas that a hook adds before it does anything, compiled without the optimizer: ${costs.join(', ')}.\n`
}

function renderTable(figures: Record<string, number>): string {
  const settlement = get(figures, 'settlement alone')
  const head = [
    '| operation | relay mode | reference | reference and a payment | relayed here | with bonus | direct here | with bonus |',
    '|---|---|---:|---:|---:|---:|---:|---:|',
  ]
  const lines = rows.map(({ operation, relayed, direct, reference, isWithoutBonus }) => {
    const relayMode = relayed?.split('.')[0] ?? 'direct'
    const isPaid = relayMode === 'paid' || relayMode === 'bound'
    const withPayment = reference !== null && isPaid ? thousands(reference * 1000 + settlement) : ''
    const columns = [operation, relayMode, reference === null ? '' : `${reference}k`, withPayment]
    const here = [relayed, direct].flatMap((name) => [
      figureOf(figures, name),
      figureOf(figures, name === undefined || isWithoutBonus === true ? undefined : `${withBonus}${name}`),
    ])
    return `| ${[...columns, ...here].join(' | ')} |`
  })
  const table = [...head, ...lines].join('\n')
  return `${table}\n\nA payment settled in a transaction of its own: ${thousands(settlement)}.\n${renderHookCost(figures)}`
}

function both(operation: string, relayMode: string, name: string, reference: number | null): Row {
  return { operation, relayed: `${relayMode}.${name}`, direct: `direct.${name}`, reference }
}

function figureOf(figures: Record<string, number>, name: string | undefined): string {
  return name === undefined ? '' : thousands(get(figures, name))
}

/** Returns a figure by its name. @throws if the figure was not measured */
function get(figures: Record<string, number>, name: string): number {
  const figure = figures[name]
  if (figure === undefined) throw new Error(`no gas figure ${name}`)
  return figure
}

function thousands(gas: number): string {
  return `${(gas / 1000).toFixed(1)}k`
}

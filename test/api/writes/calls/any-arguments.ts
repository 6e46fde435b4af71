import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import type { WriteName } from '../../../../client/src/api/write-names.ts'
import type { Fields } from '../../../../client/src/writes/write-spec.ts'
import { writes } from '../../../../client/src/writes/write-table.ts'
import { catalogue } from '../../../../protocol/catalogue.ts'
import { artifactRoles } from '../../../../protocol/documents/submission-manifest.ts'
import { resolutions } from '../../../../protocol/operations/verdict-awards.ts'
import { proofTypes } from '../../../../protocol/rules/proof-type.ts'
import { verdicts } from '../../../../protocol/rules/verdict.ts'
import { foldTag } from '../../../../protocol/text/fold-tag.ts'
import { submissionVisibilities } from '../../../../protocol/visibilities.ts'
import { aTermsBody, kindsOfTask } from '../../../support/creation-bodies.ts'
import { alice, bob, carol, workers } from '../../../support/task-snapshots.ts'

/** Random arguments of every write of the client, in any case and with any of their optional fields. */

/** Hex in any case, as callers send it. */
export const anyCase = (bytes: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: bytes, maxLength: bytes }), fc.boolean())
    .map(([value, isUpper]) => Buffer.from(value).toString('hex')[isUpper ? 'toUpperCase' : 'toLowerCase']())
    .map((digits) => `0x${digits}` as Hex)
const [anAddress, aHash] = [anyCase(20), anyCase(32)]
const aWorker = fc
  .tuple(fc.constantFrom(...workers), fc.boolean())
  .map(([worker, isUpper]) => (isUpper ? worker.toUpperCase().replace('X', 'x') : worker) as Address)
/** Base units of a reward. */
export const anAmount = fc.bigInt(1_000n, 2n ** 72n - 1n)
/** A text of a person. */
export const aText = fc
  .string({ maxLength: 40, unit: 'grapheme' })
  .map((text) => `Haiku ${text.replace(/\p{C}/gu, '')}`)
/** Tags of a task. */
export const tags = fc.uniqueArray(fc.oneof(fc.stringMatching(/^[a-zA-Z]{1,12}$/), aText), {
  maxLength: 4,
  selector: foldTag,
})
const aTime = fc.integer({ min: 1_900_000_000, max: 2_000_000_000 })
/** Quarters of an hour, and any fraction: windows are rounded up to whole seconds. */
const hours = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map((quarters) => quarters / 4),
  fc.double({ min: 0.1, max: 400, noNaN: true }),
)
const aSignature = anyCase(65)

const fieldsOf = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys?: string[]) =>
  fc.record<Fields>(fields, requiredKeys === undefined ? {} : { requiredKeys })
/** An amount as callers may send it: with zeros before it, too. */
const amountText = fc.tuple(anAmount, fc.nat(3)).map(([amount, zeros]) => '0'.repeat(zeros) + amount)
const awards = fc.array(fc.record({ worker: aWorker, amount: amountText, rank: fc.integer({ min: 1, max: 50 }) }), {
  minLength: 1,
  maxLength: 4,
})
const aCreation = fc.constantFrom(...kindsOfTask).chain((kind) =>
  fc
    .tuple(
      aTermsBody(kind, { hooks: [alice, bob], judges: [bob, carol] }),
      fc.record(
        {
          submissionVisibility: fc.constantFrom(...submissionVisibilities),
          metricTarget: aText,
          hookData: anyCase(40),
          documentSalt: aHash,
        },
        { requiredKeys: [] },
      ),
      aText,
    )
    .map(([terms, more, description]): Fields => ({ ...terms, ...more, description })),
)

/**
 * Arguments of writes but for the task, as a caller of the client chooses them, where a field has fewer values than its example
 * has by its form.
 */
const arbitraries: Partial<Record<WriteName, fc.Arbitrary<Fields>>> = {
  createTask: aCreation,
  updateTask: fieldsOf(
    {
      reward: amountText,
      expiryTime: aTime,
      bidDeadline: aTime,
      pitchDeadline: aTime,
      auctionFloorPrice: amountText,
      auctionStartPrice: amountText,
      description: aText,
      tags,
      metricDescription: aText,
      documentSalt: aHash,
    },
    ['expiryTime'],
  ),
  createPitch: fieldsOf({ pitchText: aText, estimatedDuration: hours }, ['pitchText']),
  selectWorker: fieldsOf({ pitchId: aHash, workerAddress: anAddress, signature: aSignature }, [
    'pitchId',
    'workerAddress',
  ]),
  createSubmission: fieldsOf({
    artifacts: fc.array(
      fc.record(
        {
          fileName: fc.stringMatching(/^[a-z]{1,9}[.]txt$/),
          mimeType: fc.constant('text/plain'),
          role: fc.constantFrom(...artifactRoles),
          file: fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        },
        { requiredKeys: ['fileName', 'mimeType', 'file'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  createProof: fieldsOf({ proofData: aText, proofType: fc.constantFrom(...proofTypes), metricValue: amountText }, [
    'proofData',
    'proofType',
  ]),
  acceptSubmission: fieldsOf({ worker: aWorker }),
  acceptSubmissions: fieldsOf({
    winners: fc.array(
      fc.record(
        { worker: aWorker, share: fc.integer({ min: 1, max: 10_000 }), isPinned: fc.boolean() },
        { requiredKeys: ['worker', 'share'] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  assignEvaluator: fieldsOf(
    {
      evaluator: anAddress,
      evaluatorFeeBps: fc.integer({ min: 0, max: 9_250 }),
      evaluationWindowHours: hours,
      appealWindowHours: hours,
      disputeResolver: anAddress,
    },
    ['evaluator'],
  ),
  evaluateTask: fieldsOf(
    {
      verdict: fc.constantFrom(...verdicts),
      score: fc.integer({ min: 0, max: 1_000 }),
      confidence: fc.integer({ min: 0, max: 1_000 }),
      evidenceHash: aHash,
      awards,
    },
    ['verdict'],
  ),
  resolveDispute: fieldsOf({ verdict: fc.constantFrom(...resolutions), awards }),
  rateWorker: fieldsOf(
    { worker: aWorker, rating: fc.integer({ min: 0, max: 100 }), feedbackText: aText, documentSalt: aHash },
    ['worker', 'rating'],
  ),
  createClaim: fieldsOf({ termsHash: aHash }, []),
  registerIdentity: fieldsOf({ agentURI: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }) }, []),
  // The client makes the requests of these by what the service says of the wallet.
  withdraw: fieldsOf({ amountBaseUnits: amountText }),
  withdrawToken: fieldsOf({}),
  claimSponsoredReward: fieldsOf({ vaultId: aHash }),
  setBoundOnly: fieldsOf({ boundOnly: fc.boolean() }),
}

/** Arguments of a write. The task, where the write is about one, is the caller's to add. */
export function anyArguments(name: WriteName): fc.Arbitrary<Fields> {
  return arbitraries[name] ?? anyLikeExample(name)
}

/** Says whether a write is about a task. */
export function isAboutTask(name: WriteName): boolean {
  return 'taskId' in exampleOf(name)
}

/** Values of the form of the example: of `0x` and 64 digits any hash, of a number any number. */
function anyLikeExample(name: WriteName): fc.Arbitrary<Fields> {
  const { actorField, choices = [] } = writes[name].operation
  const own = ['taskId', 'signature', actorField]
  const fields = Object.entries(exampleOf(name)).filter(([field]) => !own.includes(field))
  return fieldsOf(
    Object.fromEntries(fields.map(([field, value]) => [field, anyLike(value, `${name}.${field}`)])),
    fields.map(([field]) => field).filter((field) => !choices.some((choice) => choice === field)),
  )
}

/** @throws for a value whose form does not say which others are as good: its write needs a line */
function anyLike(value: unknown, of: string): fc.Arbitrary<unknown> {
  if (typeof value === 'boolean') return fc.boolean()
  if (typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(value)) return anyCase(value.length / 2 - 1)
  if (typeof value === 'string' && /^[0-9]+$/.test(value)) return amountText
  throw new Error(`${of} needs a generator: its example ${JSON.stringify(value)} has no form of its own`)
}

function exampleOf(name: WriteName): object {
  return examples.get(writes[name].operation.name) ?? {}
}

const examples = new Map<string, object>(
  Object.entries(catalogue).map(([operation, { example }]) => [operation, example]),
)

import { decodePaymentSignatureHeader } from '@x402/core/http'
import fc from 'fast-check'
import { type Address, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { feedbackBaseOf } from '../../../api/features/feedback-base.ts'
import { type WriteName, writeNames } from '../../../client/src/api/write-names.ts'
import type { Fields } from '../../../client/src/writes/write-spec.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { CALL_SUFFIX } from '../../../protocol/bound-call.ts'
import type { EntryMode } from '../../../protocol/relay.ts'
import { oneChunk } from '../../support/artifact-bytes.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { alice } from '../../support/task-snapshots.ts'
import { aLocalFile, anUploadRequest, toKeyedFile } from '../../support/uploads.ts'
import { anyArguments, isAboutTask } from './calls/any-arguments.ts'
import { type ClientSide, type ClientWrite, makeByClient, payByClient, walletOf } from './calls/client-side.ts'
import { anyState, type MarketState, pinned, routesOf } from './calls/market-state.ts'
import { aService, askPayment, decodeRelay, receive, relayByService } from './calls/service-side.ts'
import { aStartedApi } from './started-api.ts'

/**
 * Compares three makings of the call of each write, for random requests and random state of the market: by the client, by the
 * service, and in the transaction that a relayer signs of the stored write.
 */

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const wallet = walletOf(account)
const uploadedTo: Hex = `0x${'9f'.repeat(32)}`

const api = aStartedApi()
let uploads: readonly Fields[]
beforeAll(async () => {
  await api.seed.task({ requester: alice, id: uploadedTo })
  uploads = [await anUpload('One'), await anUpload('Two'), await anUpload('Three')]
})

async function anUpload(text: string): Promise<Fields> {
  const file = aLocalFile(text)
  const path = `/api/tasks/${uploadedTo}/submissions/request-upload-url`
  const worker = { account, address: wallet }
  const { artifactKey } = (await api.post(path, await anUploadRequest(worker as never, uploadedTo, file))).body
  const area = { area: 'uploads' as const, id: String(artifactKey).split('/')[1] ?? '' }
  await api.deps.storage.put(area, oneChunk(file.bytes), file.bytes.length)
  return { ...toKeyedFile(artifactKey, file) }
}

/** Arguments of a write about the task of the state, whose id is in any case. */
interface Given {
  input: Fields
  state: MarketState
}

function anyGiven(name: WriteName): fc.Arbitrary<Given> {
  const isOfUploads = name === 'createSubmissionFromKeys'
  const given = isOfUploads
    ? fc.shuffledSubarray([...uploads], { minLength: 1 }).map((artifacts) => ({ artifacts }))
    : anyArguments(name)
  return fc.tuple(given, anyState(wallet), fc.boolean()).map(([input, { task, ...state }, isUpper]) => {
    const id = isOfUploads ? uploadedTo : task.id
    // The rules admit a rating of the requester alone.
    const requester = name === 'rateWorker' ? wallet : task.requester
    const market = { ...state, task: { ...task, id, requester } }
    const taskId = isUpper ? `0x${id.slice(2).toUpperCase()}` : id
    return { input: pinned({ ...input, ...(isAboutTask(name) && { taskId }) }, market), state: market }
  })
}

/** A write in one of its modes, to a forwarder that takes bound payments and texts or is from before them. */
const forwarded = writeNames.flatMap((name) =>
  (writes[name].operation.modes ?? []).flatMap((mode) =>
    (mode === 'open' ? [true] : [false, true]).map((isBound) => ({ name, mode, isBound })),
  ),
)
const ownerSigned = writeNames.filter((name) => writes[name].operation.modes === undefined)

describe('a call of the forwarder', () => {
  test.each(forwarded)(
    'given any $name ($mode, bound: $isBound), then client, service and transaction have the same bytes',
    async ({ name, mode, isBound }) => {
      // Only the function of the forwarder is another where it is from before bound payments.
      await check(name, byDepth(isBound ? 2 : 1, 100), async (given) => {
        const { client, made, deps, received } = await begin(name, given, { isBound })
        const actor = mode === 'open' ? zeroAddress : wallet
        const payment = mode === 'paid' ? await payByClient(client, made, askPayment(received)) : null
        const sent = await relayByService(received, { mode, actor, payment: payment?.header ?? null })
        expect({ target: sent.prepared.target, data: sent.prepared.data, escrowAmount: sent.escrow }).toEqual(made.call)
        const { target, data, escrowAmount } = made.call
        expect(sent.to).toBe(deps.deployment.forwarder)
        expect(decodeRelay(sent.data)).toEqual({
          intentId: sent.chainIntentId,
          target,
          data,
          ...(payment === null
            ? proofOf(made, { mode, isBound })
            : { ...paymentPartOf(payment), escrowAmount, functionName: isBound ? 'relayBound' : 'relayPaid' }),
        })
      })
    },
  )
})

describe('a call that its owner signs', () => {
  test.each(ownerSigned)('given any %s, then client, service and transaction have the same bytes', async (name) => {
    await check(name, byDepth(2, 100), async (given) => {
      const { made, received } = await begin(name, given, { isBound: true })
      const { prepared, to, data } = await relayByService(received, { mode: null, actor: wallet, payment: null })
      expect({ ...made.call, target: prepared.target, data: prepared.data }).toEqual(made.call)
      expect({ to, data }).toEqual({ to: made.call.target, data: made.call.data })
    })
  })
})

async function check(name: WriteName, numRuns: number, compare: (given: Given) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(anyGiven(name), compare), { numRuns })
}

/** Makes a write by the client, and has it received by the service. */
async function begin(name: WriteName, { input, state }: Given, { isBound }: { isBound: boolean }) {
  const deps = aService(api.deps, { isBound })
  const client: ClientSide = {
    account,
    deployment: { ...deps.deployment, local: true },
    fetch: routesOf(state, { feedbackBase: feedbackBaseOf(deps.config) }),
    now: Number(START),
    destination: state.payout.destination,
    programme: state.payout.programme.hook,
  }
  const made = await makeByClient(client, name, input)
  const received = await receive(deps, { name, body: made.body, taskId: input.taskId }, state)
  return { client, made, deps, received }
}

/** The proof of the actor in a call without a payment. */
function proofOf(
  { name, body, input, task }: ClientWrite,
  { mode, isBound }: { mode: EntryMode; isBound: boolean },
): Fields {
  if (mode === 'open') return { functionName: 'relayOpen' }
  const suffix = isBound ? CALL_SUFFIX : writes[name].operation.signed?.suffixes(input, task?.present ?? {}).at(-1)
  return { functionName: 'relaySigned', actor: wallet, signature: body.signature, suffix }
}

/** The payment in a call, as it was signed. */
function paymentPartOf({ header, nonce, salt, value, validBefore }: Awaited<ReturnType<typeof payByClient>>): Fields {
  const { signature } = decodePaymentSignatureHeader(header).payload as { signature: Hex }
  const authorization = { from: wallet as Address, value, validAfter: 0n, validBefore, nonce }
  return { authorization, signature, ...(salt !== undefined && { salt }) }
}

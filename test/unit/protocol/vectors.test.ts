import { createHash } from 'node:crypto'
import { type Address, getAddress, type Hex, hashMessage, hashTypedData, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { growClaimTree } from '../../../api/domain/sponsored/claim-proofs.ts'
import { boundNonceOf, paymentRequestText, requestHashOf } from '../../../protocol/bound-call.ts'
import { clockPriceAt } from '../../../protocol/clock-price.ts'
import { toCreateTaskParams } from '../../../protocol/creation/create-task-params.ts'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import { toCanonicalJson } from '../../../protocol/documents/canonical-json.ts'
import { toFeedbackDocument } from '../../../protocol/documents/feedback-document.ts'
import { type ManifestArtifact, toSubmissionManifest } from '../../../protocol/documents/submission-manifest.ts'
import { type TaskTexts, toTaskDocument } from '../../../protocol/documents/task-document.ts'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { toSeconds } from '../../../protocol/normalise.ts'
import { splitFee, splitReward, verdictPayouts } from '../../../protocol/payouts.ts'
import { partOf } from '../../../protocol/rules/amounts.ts'
import { listLeaves } from '../../../protocol/rules/settlement-leaves.ts'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import { authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'
import { claimTypedData } from '../../../protocol/signed/vault-claim.ts'
import { hashTerms } from '../../../protocol/terms-hash.ts'
import vectors from '../../../protocol/vectors/vectors.json' with { type: 'json' }
import { callContext } from './call-context.ts'
import { type SignedValues, signedRows } from './signed-rows.ts'

const wallet = privateKeyToAccount(vectors.wallet.privateKey as Hex)

it('given the key, then its address is that of the vectors', () => {
  expect(wallet.address).toBe(vectors.wallet.checksum)
})

describe('the signed texts', () => {
  const { counter, time, ...others } = vectors.texts.values
  const values = { ...others, counter: BigInt(counter), time: BigInt(time) } as SignedValues

  it('given the values, then the texts of every purpose and form are those of the vectors', () => {
    const texts = new Map(vectors.texts.rows.map(({ name, text }) => [name, text]))
    expect(signedRows.map(({ name, text }) => [name, text(values)])).toEqual(
      signedRows.map(({ name }) => [name, texts.get(name)]),
    )
    expect(signedRows).toHaveLength(texts.size - 2)
  })

  it.each(vectors.texts.rows)('given the text of $name, then digest and signature are its own', async (row) => {
    expect(hashMessage(row.text)).toBe(row.digest)
    expect(await wallet.signMessage({ message: row.text })).toBe(row.signature)
  })
})

describe.each(vectors.payments)('the payment of $path on chain $chainId', (vector) => {
  const { chainId, method, path, key, usdc, authorization } = vector
  const forwarder = vector.forwarder as Address
  const bodySha256 = createHash('sha256').update(vector.body).digest('hex')
  const text = paymentRequestText('service', { chainId, forwarder }, { method, path, key, bodySha256 })

  it('given the request, then text and salt are those of the vector', () => {
    expect(text).toBe(vector.requestText)
    expect(requestHashOf(text)).toBe(vector.salt)
  })

  it('given the call, then the nonce is that of the vector', () => {
    const call = { target: vector.target as Address, data: vector.data as Hex, escrowAmount: BigInt(vector.escrow) }
    expect(boundNonceOf(call, { chainId, forwarder, salt: requestHashOf(text) })).toBe(vector.nonce)
  })

  it.each([
    ['ReceiveWithAuthorization', vector.nonce, vector.receive],
    ['TransferWithAuthorization', vector.salt, vector.transfer],
  ] as const)('given a %s, then digest and signature are those of the vector', async (form, nonce, expected) => {
    const place = { chainId, usdc: usdc.address as Address, usdcDomain: usdc }
    const typedData = {
      ...authorizationTypes(place, form),
      message: { ...authorization, nonce },
    } as TypedDataDefinition
    expect(hashTypedData(typedData)).toBe(expected.digest)
    expect(await wallet.signTypedData(typedData)).toBe(expected.signature)
  })
})

describe('the hashed documents', () => {
  it.each(vectors.documents.task)(
    'given a task, then it has exactly these bytes: $hash',
    ({ given, salt, text, hash }) => {
      expect(toTaskDocument(given as TaskTexts, salt as Hex)).toEqual({ text, hash })
    },
  )

  it.each(vectors.documents.manifest)('given files, then their manifest has exactly these bytes: $hash', (row) => {
    const { taskId, worker } = row.given
    const artifacts = row.given.artifacts.map((file, displayOrder) => ({ ...file, displayOrder }) as ManifestArtifact)
    const manifest = { taskId: taskId as Hex, worker: worker as Address }
    const expected = { text: row.text, hash: row.hash }
    expect(toSubmissionManifest({ ...manifest, artifacts }, row.salt as Hex)).toEqual(expected)
    // Rows of the service have more fields, and may come in another order.
    const rows = artifacts.map((file) => ({ ...file, id: 'x', textPreview: null })).toReversed()
    expect(toSubmissionManifest({ ...manifest, artifacts: rows }, row.salt as Hex)).toEqual(expected)
  })

  it.each(vectors.documents.feedback)('given a rating, then its file has exactly these bytes: $hash', (row) => {
    const { workerAgentId, ...feedback } = row.given
    const given = { ...feedback, workerAgentId: workerAgentId === null ? null : BigInt(workerAgentId) }
    const document = toFeedbackDocument(given as Parameters<typeof toFeedbackDocument>[0], row.salt as Hex)
    expect(document).toEqual({ text: row.text, hash: row.hash })
  })

  it.each(vectors.documents.commitment)('given a pitch or proof, then its preimage is that of $hash', (row) => {
    const { preimage, hash, ...given } = row
    expect(commitToText(given as Parameters<typeof commitToText>[0])).toEqual({ preimage, hash })
  })

  it.each(vectors.documents.canonical)('given JSON, then its canonical text is $text', ({ value, text }) => {
    expect(toCanonicalJson(value as never)).toBe(text)
  })
})

describe('the creations', () => {
  it.each(vectors.creations)('given the request, then call and terms are those of the vector: $termsHash', (row) => {
    const input = normalise('tasks.create', row.request as Parameters<typeof normalise<'tasks.create'>>[1])
    expect(encodeCall('tasks.create', input, callContext)).toMatchObject({ data: row.data })
    const { mode, reward, evaluation, ...params } = toCreateTaskParams(input)
    const untilExpiry = (window: number) => BigInt(window === 0 ? params.duration : window)
    const terms = hashTerms({
      ...params,
      mode,
      reward,
      duration: BigInt(params.duration),
      pitchDuration: input.mode === 'pitch' ? untilExpiry(params.pitchDuration) : 0n,
      bidDuration: input.mode === 'auction' ? untilExpiry(params.bidDuration) : 0n,
      tagHashes: params.tags,
      ...evaluation,
      evaluatorFeeBps: evaluation.feeBps,
      evaluationWindow: BigInt(evaluation.evaluationWindow),
      appealWindow: BigInt(evaluation.appealWindow),
      hookSet: `0x${'00'.repeat(32)}`,
    })
    expect(terms).toBe(row.termsHash)
  })
})

describe('the rounding', () => {
  it.each(vectors.rounding.clockPrices)('given $maximum, $other and $now, then the clock shows $dutch', (row) => {
    const [maximum, clockPrice, now] = [BigInt(row.maximum), BigInt(row.other), BigInt(row.now)]
    const clock = { maximum, clockPrice, createdAt: BigInt(row.createdAt), bidDeadline: BigInt(row.deadline) }
    expect(clockPriceAt({ auctionType: 'dutch', ...clock }, now)).toBe(BigInt(row.dutch))
    expect(clockPriceAt({ auctionType: 'reverse_dutch', ...clock }, now)).toBe(BigInt(row.reverseDutch))
  })

  it.each(vectors.rounding.parts)('given $amount and $bps basis points, then the part is $part', (row) => {
    const [amount, part] = [BigInt(row.amount), BigInt(row.part)]
    expect(partOf(amount, row.bps)).toBe(part)
    expect(splitFee(amount, row.bps)).toEqual({ platformFee: part, workerPayment: amount - part })
  })

  it.each(vectors.rounding.splits)('given $reward, then the shares are those of the vector', (row) => {
    expect(splitReward(BigInt(row.reward), row.sharesBps)).toEqual(row.grosses.map(BigInt))
  })

  it.each(vectors.rounding.verdicts)('given the verdict $verdict of $base, then $returned goes back', (row) => {
    const { verdict, base, evaluatorFeeBps, platformFeeBps } = row
    const terms = { base: BigInt(base), evaluatorFeeBps, platformFeeBps }
    expect(verdictPayouts(verdict as Verdict, row.awards.map(BigInt), terms)).toEqual({
      evaluatorFee: BigInt(row.evaluatorFee),
      awards: row.payouts.map(({ gross, platformFee }) => ({
        gross: BigInt(gross),
        platformFee: BigInt(platformFee),
        workerPayment: BigInt(gross) - BigInt(platformFee),
      })),
      returned: BigInt(row.returned),
    })
  })

  it.each(vectors.rounding.durations)('given $hours hours, then they are $seconds seconds', ({ hours, seconds }) => {
    expect(toSeconds(Number(hours), 'hours')).toBe(seconds)
  })
})

describe('the settlements', () => {
  it.each(vectors.settlements)('given the awards, then leaves, proofs and root are those of $root', (row) => {
    const leaves = listLeaves(row.workers as Address[], row.amounts.map(BigInt))
    expect(leaves.map(({ index, amount }) => [index, amount])).toEqual(
      row.leaves.map(({ index, amount }) => [index, BigInt(amount)]),
    )
    const tree = growClaimTree({ vaultId: row.vaultId as Hex, epoch: row.epoch, taskId: row.taskId as Hex }, leaves)
    expect(tree.root).toBe(row.root)
    expect(leaves.map((_, position) => tree.proofOf(position))).toEqual(row.leaves.map(({ proof }) => proof))
  })

  it('given a claim, then digest and signature are those of the vector', async () => {
    const { chainId, vault, message, digest, signature } = vectors.vaultClaim
    const typedData = { ...claimTypedData({ chainId, vault: getAddress(vault) }), message } as TypedDataDefinition
    expect(hashTypedData(typedData)).toBe(digest)
    expect(await wallet.signTypedData(typedData)).toBe(signature)
  })
})

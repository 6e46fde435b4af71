import { join } from 'node:path'
import fc from 'fast-check'
import { type Abi, hashMessage, hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { reputationRegistryAbi } from '../../../abis/reputation-registry.ts'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { toAcceptanceMessage } from '../../../api/domain/legal/acceptance-message.ts'
import { toPolicyBundle } from '../../../api/domain/legal/bundle-digest.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
import type { OperationName } from '../../../protocol/derive.ts'
import type { OwnerMessage } from '../../../protocol/operation.ts'
import { operations } from '../../../protocol/operations.ts'
import { signedTextKinds } from '../../../protocol/signed/signed-text.ts'
import { type AuthorizationForm, authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'
import { byDepth } from '../../support/depth.ts'
import { type SignedValues, signedRows } from './signed-rows.ts'

/** Values of the texts in `contracts/test/stored-signatures/signatures.json`, where the test of forge puts those of its chain. */
const onChain: SignedValues = {
  chainId: 8453,
  forwarder: `0x${'c3'.repeat(20)}`,
  wallet: `0x${'b2'.repeat(20)}`,
  other: `0x${'d4'.repeat(20)}`,
  taskId: `0x${'a1'.repeat(32)}`,
  id: `0x${'e5'.repeat(32)}`,
  round: 1,
  counter: 0n,
  time: 1_800_000_000n,
  data: '0x',
  keys: [`0x${'a1'.repeat(32)}/6e7c9e52-1b1d-4a4e-9d3c-0f6f3c1b2a90`],
  host: 'market.example',
  request: 'POST /api/tasks',
  key: '0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11',
  body: 'ab'.repeat(32),
  status: 'approved',
}

const usdcDomain = { name: 'USD Coin', version: '2' }

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const twoOf = (digits: number) => oneOf<`0x${string}`>(`0x${'0'.repeat(digits - 1)}1`, `0x${'0'.repeat(digits - 1)}2`)

/** Few values of each kind, so that two texts often share all but one; some are made to look like parts of other texts. */
const someValues: fc.Arbitrary<SignedValues> = fc.record({
  chainId: oneOf(1, 8453),
  forwarder: twoOf(40),
  wallet: twoOf(40),
  other: twoOf(40),
  taskId: twoOf(64),
  id: twoOf(64),
  round: oneOf(1, 11),
  counter: oneOf(1n, 11n),
  time: oneOf(1n, 1_800_000_000n),
  data: oneOf<`0x${string}`>('0x', '0x12345678'),
  keys: oneOf(['0xab/1'], ['0xab/1', '0xab/2'], ['1'], ['call']),
  host: oneOf('market.example', 'market.example:8443', 'localhost'),
  request: oneOf('POST /api/tasks', 'POST /api/tasks/0xab/accept', 'POST /api/tasks:1'),
  key: oneOf('0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11', '0B5F1C2E-8F1D-4A55-9A0E-0C6A3F9D1E11'),
  body: oneOf('ab'.repeat(32), 'cd'.repeat(32)),
  status: oneOf('approved', 'rejected'),
})

const someText = fc.tuple(oneOf(...signedRows), someValues).map(([row, values]) => ({
  name: row.name,
  names: row.names.map((name) => `${name} ${values[name]}`),
  text: row.text(values),
}))

describe('the texts that wallets sign', () => {
  it('given two texts, then they are equal only where purpose, form and all that they name are', () => {
    fc.assert(
      fc.property(someText, someText, (left, right) => {
        const isSame = left.name === right.name && left.names.join() === right.names.join()
        expect(left.text === right.text).toBe(isSame)
      }),
      { numRuns: byDepth(1_000, 5_000), seed: 1 },
    )
  })

  it('given the first words, then each is of one purpose and ends at a colon', () => {
    expect(new Set(signedTextKinds).size).toBe(signedTextKinds.length)
    expect(signedTextKinds.filter((kind) => kind.includes(':'))).toEqual([])
    for (const { name, text } of signedRows) expect(`${text(onChain)}:`).toContain(`service:${name.split(',')[0]}:`)
  })

  it('given a text and typed data, then their digests differ', () => {
    const message = { from: onChain.wallet, to: onChain.forwarder, value: 1n, validAfter: 0n, validBefore: 1n }
    const authorization = { ...message, nonce: onChain.id }
    const forms: AuthorizationForm[] = ['TransferWithAuthorization', 'ReceiveWithAuthorization']
    const place = { chainId: 8453, usdc: onChain.other, usdcDomain }
    const typed = forms.map((form) => hashTypedData({ ...authorizationTypes(place, form), message: authorization }))
    const digests = [...typed, ...signedRows.map(({ text }) => hashMessage(text(onChain)))]
    expect(new Set(digests).size).toBe(digests.length)
  })
})

describe('the table of stored signatures that forge tries at every contract', () => {
  it('given the code, then it has the texts, the typed data and the functions of today', async () => {
    const rows = signedRows.map(({ name, text }) => ({ name, text: text(onChain) }))
    const legal = { name: 'legal, acceptance', text: acceptanceText() }
    const table = { texts: [...rows, legal], typedData: listTypedData(), functions: listFunctions() }
    const file = join(repositoryRoot, 'contracts', 'test', 'stored-signatures', 'signatures.json')
    await expect(`${JSON.stringify(table, null, 2)}\n`).toMatchFileSnapshot(file)
  })
})

function acceptanceText(): string {
  const documents = [
    { type: 'terms_of_service' as const, title: 'Terms', summary: 'All.', version: '1', contentHash: 'sha256:ab' },
  ]
  const [status, time] = ['approved' as const, '2026-01-01T00:00:00.000Z']
  const facts = { version: '1', status, effectiveAt: time, publishedAt: time, acceptanceStatement: 'I accept.' }
  return toAcceptanceMessage({
    title: 'Service',
    wallet: onChain.wallet,
    bundle: toPolicyBundle({ ...facts, documents }),
    nonce: onChain.key,
    issuedAt: time,
    expiresAt: time,
  })
}

/** The part of an operation that says what its owner signs. Methods: the entries take narrower inputs. */
interface OwnerSignedEntry {
  name: OperationName
  normalise(request: object): object
  ownerSigned?: { message(input: object, context: object): OwnerMessage }
}

/** The names of all typed data that a payment or the owner of an operation signs. */
function listTypedData(): string[] {
  const ofPayments: AuthorizationForm[] = ['TransferWithAuthorization', 'ReceiveWithAuthorization']
  const entries: readonly OwnerSignedEntry[] = Object.values(operations)
  const ofOwners = entries.flatMap(({ name, normalise, ownerSigned }) => {
    const message = ownerSigned?.message(normalise(catalogue[name].example), {
      deployment: { chainId: onChain.chainId, forwarder: onChain.forwarder, usdc: onChain.other, usdcDomain },
      facts: { vault: { address: onChain.other, epoch: 0n } },
      actor: onChain.wallet,
    })
    return message !== undefined && 'typedData' in message ? [message.typedData.primaryType] : []
  })
  return [...new Set([...ofPayments, ...ofOwners])].sort()
}

/** Contracts of a deployment, and the standards that its wallets sign for. */
const contracts: Record<string, Abi> = {
  BonusHook: bonusHookAbi,
  IdentityRegistrar: identityRegistrarAbi,
  IdentityRegistry: identityRegistryAbi,
  PaymentForwarder: paymentForwarderAbi,
  ReputationRegistry: reputationRegistryAbi,
  SponsoredTasksHook: sponsoredTasksHookAbi,
  SponsoredVault: sponsoredVaultAbi,
  SponsoredVaultFactory: sponsoredVaultFactoryAbi,
  TaskMarket: taskMarketAbi,
  USDC: usdcAbi,
}

/** The functions that take a signature, in one piece or in three. */
function listFunctions(): string[] {
  const names = Object.entries(contracts).flatMap(([contract, abi]) =>
    abi.flatMap((item) => {
      const takesSignature =
        item.type === 'function' && item.inputs.some(({ name }) => name === 'signature' || name === 'v')
      return takesSignature ? [`${contract}.${item.name}`] : []
    }),
  )
  return [...new Set(names)].sort()
}

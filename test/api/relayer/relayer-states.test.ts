import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { readRelayerStates } from '../../../api/relayer/transactions/read-relayer-states.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { aScriptedNode } from './scripted-node.ts'

const [first, second, unused]: [Address, Address, Address] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'b2'.repeat(20)}`,
  `0x${'c3'.repeat(20)}`,
]

const api = aStartedApi()

it('gives each relayer its own nonces, balance and failures', async () => {
  await api.sql`delete from relayers`
  for (const [address, nextNonce] of [
    [first, 3n],
    [second, 5n],
  ] as const)
    await api.sql`insert into relayers ${api.sql({ address, nextNonce })}`
  const funds = [first, second, unused].map((address, index) => ({
    address,
    balanceWei: BigInt(index),
    isFunded: index > 0,
  }))
  const { deps } = aScriptedNode(api, { minedNonce: 2n })
  const accounts = [{ kind: 'raw', address: second, failures: () => 4 }] as const
  const states = await readRelayerStates(api.sql, deps.chain, {
    accounts,
    balances: { read: async () => funds } as never,
  })
  const state = { minedNonce: 2n, isUnderfunded: false, signerFailures: 0 }
  expect(states).toEqual([
    { ...state, address: first, nextNonce: 3n, balanceWei: 0n, isUnderfunded: true },
    { ...state, address: second, nextNonce: 5n, balanceWei: 1n, signerFailures: 4 },
    { ...state, address: unused, nextNonce: 0n, balanceWei: 2n },
  ])
})

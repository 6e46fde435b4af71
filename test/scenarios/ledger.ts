import { expect } from 'vitest'
import type { Actor } from '../support/actors.ts'
import type { Environment } from '../support/conformance.ts'

/** Accounts besides the actors: the escrow, the fees of writes, the fees of settlements. */
const sharedAccounts = ['market', 'forwarder', 'feeRecipient'] as const
type SharedAccount = (typeof sharedAccounts)[number]

/** Changes of balances by name, USDC base units; absent names have no change. */
export type Changes<Name extends string> = Partial<Record<Name | SharedAccount, bigint>>

/** The balances of all actors of a scenario. */
export interface Ledger<Name extends string> {
  /** Compares every balance with the last check, to the base unit. */
  expectChanges(changes: Changes<Name>): Promise<void>
  /** The scenario left nothing in escrow. */
  expectEmptyEscrow(): Promise<void>
}

export async function openLedger<Name extends string>(
  { chain }: Pick<Environment, 'chain'>,
  actors: Record<Name, Actor>,
): Promise<Ledger<Name>> {
  const { market, forwarder } = chain.deployment
  const names = Object.keys(actors) as Name[]
  const accounts = {
    ...Object.fromEntries(names.map((name) => [name, actors[name].address])),
    market,
    forwarder,
    feeRecipient: await chain.feeRecipient(),
  }
  const nothing = Object.fromEntries(Object.keys(accounts).map((name) => [name, 0n]))
  const since = await chain.watch(accounts)
  let last = since
  return {
    expectChanges: async (changes) => {
      const seen = await last.changes()
      last = await chain.watch(accounts)
      expect(seen).toEqual({ ...nothing, ...changes })
      const sum = Object.values<bigint>(seen).reduce((total, change) => total + change, 0n)
      expect(sum, 'USDC came from or went to an account outside the scenario').toBe(0n)
    },
    expectEmptyEscrow: async () => {
      expect((await since.changes()).market).toBe(0n)
    },
  }
}

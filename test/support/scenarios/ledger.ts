import { expect } from 'vitest'
import type { Actor } from '../actors.ts'
import type { Environment } from '../conformance.ts'

/** Where money lies that belongs to nobody of the scenario: the escrow, the fees of writes, the fees of settlements. */
const houses = ['market', 'forwarder', 'feeRecipient'] as const
type House = (typeof houses)[number]

/** Changes of balances by name, USDC base units; whoever is not named has neither paid nor received. */
export type Changes<Name extends string> = Partial<Record<Name | House, bigint>>

/** The money of everybody in a scenario. */
export interface Ledger<Name extends string> {
  /** Holds every balance against what it was at the last look, to the base unit. */
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
  let look = since
  return {
    expectChanges: async (changes) => {
      const seen = await look.changes()
      look = await chain.watch(accounts)
      expect(seen).toEqual({ ...nothing, ...changes })
      const sum = Object.values<bigint>(seen).reduce((total, change) => total + change, 0n)
      expect(sum, 'money came from or went to somebody outside of the scenario').toBe(0n)
    },
    expectEmptyEscrow: async () => {
      expect((await since.changes()).market).toBe(0n)
    },
  }
}

import { compileContracts } from '../../scripts/contracts/compile.ts'

/** Compiles the contracts, when they changed, before any test deploys them. */
export async function setup(): Promise<void> {
  await compileContracts()
}

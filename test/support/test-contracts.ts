import { compileContracts } from '../../scripts/contracts/compile.ts'

/** Compiles changed contracts before any test deploys them. */
export async function setup(): Promise<void> {
  await compileContracts()
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../deployment/plan.ts'
import { listVerifiable, type VerifiableContract } from './standard-json.ts'
import type { Verifier } from './submit.ts'

/**
 * Writes the files that are needed to verify the contracts of a plan: for each contract `<name>.json` (the compiler's
 * standard JSON input), and `contracts.json` (address, compiler version and constructor arguments of all contracts).
 */
export function writeVerification(plan: Plan, folder: string): VerifiableContract[] {
  mkdirSync(folder, { recursive: true })
  const contracts = listVerifiable(plan)
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`)
  for (const { name, standardJson } of contracts) write(name, standardJson)
  write(
    'contracts',
    contracts.map(({ standardJson, ...contract }) => ({ ...contract, libraries: standardJson.settings.libraries })),
  )
  return contracts
}

/**
 * Submits every contract to every service for verification, one after the other. @returns the number of failed
 * verifications
 */
export async function submitAll(
  contracts: VerifiableContract[],
  { verifiers, say }: { verifiers: Verifier[]; say: (line: string) => void },
): Promise<number> {
  let failures = 0
  for (const verifier of verifiers) {
    for (const [index, contract] of contracts.entries()) {
      const { isVerified, says } = await verifier.submit(contract)
      if (!isVerified) failures += 1
      const place = `${index + 1}/${contracts.length}`
      say(
        `${isVerified ? 'ok     ' : 'FAILED '} ${verifier.name} ${place} ${contract.name} ${contract.address}: ${says}`,
      )
    }
  }
  return failures
}

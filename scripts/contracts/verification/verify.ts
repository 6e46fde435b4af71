import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../deployment/plan.ts'
import { listVerifiable, type VerifiableContract } from './standard-json.ts'
import type { Verifier } from './submit.ts'

/**
 * Writes `<name>.json`, the compiler's standard JSON input, for each contract of a plan, and `contracts.json` with the other
 * inputs of verifiers: address, compiler version, constructor arguments.
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

/** Submits every contract to every verifier, one after the other. @returns the number of failed verifications */
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

import { readFile } from 'node:fs/promises'
import { createPublicClient, type Hex, keccak256 } from 'viem'
import { z } from 'zod'
import { nodesTransport } from '../../api/nodes/nodes-transport.ts'
import { connectReader } from '../../scripts/contracts/chain.ts'
import { type CheckLine, checkRoles } from '../../scripts/contracts/deployment/check.ts'
import { listForwarderSteps } from '../../scripts/contracts/deployment/forwarder-steps.ts'
import type { Addresses } from '../../scripts/contracts/deployment/plan.ts'
import { toSetup } from '../../scripts/contracts/deployment/recorded-setup.ts'
import { readDeploymentRecord } from '../../scripts/contracts/deployment-file.ts'
import { readNetwork } from '../../scripts/contracts/network.ts'
import { defineCheck, type Observation } from './check.ts'
import { describeFailure } from './describe-failure.ts'

type Name = 'none' | 'no_code' | 'other_code' | 'differs' | 'pending' | 'not_compared'

/**
 * A contract in the deployment file: `recorded` is the code hash in the file, `present` the hash of the code at the
 * address.
 */
export interface CodeFacts {
  name: string
  address: string
  recorded: string
  /** Hash of the code that is now at the contract's address; null if the address has no code. */
  present: Hex | null
}

/** The doctor check for the code of the contracts, and for the owners, roles and settings that the contracts store. */
export const contractsCheck = defineCheck<Name>({
  name: 'contracts',
  looksAt:
    'the hash of the code at each address of the deployment file; where the file has its setup, what `npm run deploy -- --network FILE --check` compares beyond the code: owners, roles, routes and settings',
  // An old chain requires many requests for its logs.
  timeLimitMs: 60_000,
  follows: ['chain'],
  faults: {
    none: {
      result: 'wrong',
      meaning: '... records no contracts',
      remedy:
        'Deploy them (docs/operate/rehearse-on-base-sepolia.md), or name the file of your deployment in DEPLOYMENT_FILE.',
    },
    no_code: {
      result: 'wrong',
      meaning: '... has no code on this chain',
      remedy: 'Name the deployment file of this chain in DEPLOYMENT_FILE, and a node of it in RPC_URL.',
    },
    other_code: {
      result: 'wrong',
      meaning: '... has another code than the deployment file records',
      remedy: 'Stop the service, and ask a second node: if both say so, the file or the chain is not yours.',
    },
    differs: {
      result: 'wrong',
      meaning: '... differs from the setup of the deployment file',
      remedy:
        'See what happened: npm run deploy -- --network FILE --check. Only the owner of the contracts can have changed it.',
    },
    pending: {
      result: 'warning',
      meaning: '... waits for an account',
      remedy: 'Send what docs/operate/rehearse-on-base-sepolia.md says from this account.',
    },
    not_compared: {
      result: 'warning',
      meaning: 'owners, roles and settings could not be compared',
      remedy: 'Run npm run deploy -- --network FILE --check, which has no time limit.',
    },
    no_answer: {
      result: 'warning',
      meaning: 'the contracts could not be compared',
      remedy: 'Run npm run deploy -- --network FILE --check, which has no time limit.',
    },
  },
  find: async (context) => {
    const { deploymentFile, rpcUrls } = context
    const chainAccess = await context.openChain().catch(() => null)
    const [rpcUrl] = rpcUrls
    if (chainAccess === null || deploymentFile === null || rpcUrl === undefined)
      return [{ unchecked: 'no node, or no deployment, is set here' }]
    const client = createPublicClient({ transport: nodesTransport(chainAccess.nodes, { retryCount: 1 }) })
    const recordedCodes = await readRecordedCodes(deploymentFile)
    if (recordedCodes === null)
      return [{ unchecked: 'the deployment file, of an older form, records no hashes of code' }]
    const facts = await Promise.all(
      recordedCodes.map(async ({ address, codeHash, name }): Promise<CodeFacts> => {
        const code = await client.getCode({ address })
        return { name, address, recorded: codeHash, present: code === undefined ? null : keccak256(code) }
      }),
    )
    const observations = judgeCodes(facts, deploymentFile)
    if (observations.some((each) => 'fault' in each)) return observations
    return [...observations, ...(await compareWithSetup(deploymentFile, rpcUrl))]
  },
})

/** Compares the hash of the code at each address with the hash that the deployment file records. */
export function judgeCodes(facts: readonly CodeFacts[], file: string): Observation<Name>[] {
  if (facts.length === 0) return [{ fault: 'none', of: file }]
  const faults = facts.flatMap(({ name, address, recorded, present }): Observation<Name>[] => {
    const of = `${name} at ${address}`
    if (present === null) return [{ fault: 'no_code', of }]
    if (present === recorded.toLowerCase()) return []
    return [{ fault: 'other_code', of, detail: `its hash is ${present}, and ${recorded} is recorded` }]
  })
  return faults.length > 0 ? faults : [{ ok: `code of ${facts.length} contracts: as recorded` }]
}

/**
 * Converts the lines of `npm run deploy -- --check` to observations. A change that the owner of the contracts made is
 * not a fault.
 */
export function judgeLines(lines: readonly CheckLine[]): Observation<Name>[] {
  const observations = lines.flatMap(({ what, result, note }): Observation<Name>[] => {
    const detail = note === undefined ? {} : { detail: note }
    if (result === 'differs') return [{ fault: 'differs', of: what, ...detail }]
    return result === 'pending' ? [{ fault: 'pending', of: what, ...detail }] : []
  })
  const changedCount = lines.filter(({ result }) => result === 'changed').length
  const rightCount = lines.length - observations.length
  const byOwner = changedCount === 0 ? '' : `, ${changedCount} of them as their owner changed them`
  return rightCount === 0
    ? observations
    : [{ ok: `owners, roles, routes and settings: ${rightCount} as expected${byOwner}` }, ...observations]
}

const codesSchema = z.object({
  contracts: z
    .record(z.string(), z.object({ address: z.templateLiteral(['0x', z.string()]), codeHash: z.string() }))
    .optional(),
})

async function readRecordedCodes(file: string) {
  const { contracts } = codesSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  return contracts === undefined ? null : Object.entries(contracts).map(([name, contract]) => ({ name, ...contract }))
}

/**
 * Compares the owners, roles and settings that the contracts store with those that the deployment file records in
 * `setup`, as `npm run deploy -- --check` does. If the file has no `setup`, nothing is compared.
 */
async function compareWithSetup(file: string, rpcUrl: string): Promise<Observation<Name>[]> {
  try {
    const record = readDeploymentRecord(file)
    if (record?.setup === undefined)
      return [{ unchecked: 'owners and roles: the deployment file records no setup to compare them with' }]
    const setup = toSetup(record.setup)
    const recordedAddresses = Object.entries(record.contracts).map(([name, { address }]) => [name, address])
    const addresses: Addresses = Object.fromEntries(recordedAddresses)
    const steps = listForwarderSteps({ ...addresses, ...setup })
    const plan = { network: readNetwork(file), setup, addresses, steps }
    return judgeLines(await checkRoles(await connectReader(rpcUrl), plan, { record }))
  } catch (error) {
    return [{ fault: 'not_compared', detail: describeFailure(error) }]
  }
}

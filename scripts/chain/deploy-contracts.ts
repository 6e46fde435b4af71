import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { listSourceArtifacts } from '../contracts/artifacts.ts'
import { localBonusSetup } from '../contracts/bonus-setup.ts'
import { connect } from '../contracts/chain.ts'
import { type Deployment, deployAll, mintLocalUsdc } from '../contracts/deploy.ts'
import { writeDeploymentFile } from '../contracts/deployment-file.ts'
import { localNetwork } from '../contracts/network.ts'
import type { Anvil } from './anvil.ts'
import { devAccount, devActors, devRelayers } from './dev-accounts.ts'
import { startBonus } from './start-bonus.ts'

/** URL of the local stack's API if that port is free. */
const LOCAL_BASE_URL = 'http://127.0.0.1:3000'

/** Amount that every demo wallet gets, USDC base units: 10,000 USDC. */
export const demoFunds = 10_000_000_000n

/**
 * Deploys the contracts with the deterministic accounts, gives the demo wallets USDC, and writes the addresses to
 * `<directory>/deployment.json` for the indexer and the service. The contracts must be compiled.
 * @param options.forked true for a copy of Base, whose own USDC and registries are used
 * @param options.hasBonus true if tasks earn token bonuses; false: the contract of the bonus programme is deployed, but
 * it is not a default hook
 * @param options.beforeBound true to deploy the old forwarder, which does not know bound payments; default false
 * @param options.registerService true to register the service as an agent in the identity registry; default false
 */
export async function deployContracts(
  anvil: Anvil,
  options: {
    forked: boolean
    directory: string
    hasBonus: boolean
    registerService?: boolean
    beforeBound?: boolean
  },
): Promise<{ deployment: Deployment; deploymentFile: string }> {
  const deployment = await deployAll({
    rpcUrl: anvil.url,
    deployer: devAccount('deployer').privateKey,
    local: !options.forked,
    relayers: devRelayers().map(({ account }) => account.address),
    owner: devAccount('owner').account.address,
    feeRecipient: devAccount('feeRecipient').account.address,
    publicBaseUrl: LOCAL_BASE_URL,
    bonus: { token: 'local', setup: localBonusSetup },
    ...(options.registerService === true && { registerService: true }),
    ...(options.beforeBound === true && { beforeBound: true }),
  })
  await startBonus(anvil.url, deployment, { isAttached: options.hasBonus })
  for (const { account } of devActors()) {
    if (options.forked) await dealUsdc(anvil, { token: deployment.usdc, to: account.address })
    else await mintLocalUsdc(anvil.url, account.address, demoFunds)
  }
  const deploymentFile = join(options.directory, 'deployment.json')
  // A fork is local too: its clock is anvil's, and it is one machine's.
  const localDeployment = { ...deployment, local: true as const }
  const client = await connect(anvil.url, devAccount('deployer').privateKey)
  await writeDeploymentFile(client, deploymentFile, localDeployment)
  return { deployment: localDeployment, deploymentFile }
}

/**
 * Returns a fingerprint of the compiled contracts and of the scripts that deploy them. Equal fingerprints mean that
 * `deployContracts` creates equal chains.
 */
export function deploymentKey(): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify(localNetwork))
  for (const { name, bytecode } of listSourceArtifacts()) hash.update(`${name} ${bytecode.object} `)
  const contracts = [
    'deploy',
    'deployment-file',
    'local-chain',
    'deployment/plan',
    'deployment/forwarder-steps',
    'routes',
    'bonus-setup',
    'bonus-admin',
    'register-service',
  ]
  const chain = ['deploy-contracts', 'dev-accounts', 'start-bonus']
  const paths = [...contracts.map((name) => `contracts/${name}.ts`), ...chain.map((name) => `chain/${name}.ts`)]
  for (const path of paths) {
    hash.update(readFileSync(join(repositoryRoot, 'scripts', path)))
  }
  return hash.digest('hex')
}

/**
 * Gives an account the real USDC on a copy of Base. The accounts that may mint this USDC do not belong to this project.
 * The node therefore sets the balance in the token's storage.
 */
async function dealUsdc(anvil: Anvil, { token, to }: { token: Hex; to: Hex }): Promise<void> {
  await anvil.request('anvil_dealERC20', [to, token, `0x${demoFunds.toString(16)}`])
}

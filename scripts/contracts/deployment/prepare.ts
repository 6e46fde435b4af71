import { type Address, isAddressEqual, type LocalAccount } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { refuseUnusableToken } from '../deploy.ts'
import { type ChosenSetup, chooseSetup } from './choose-setup.ts'
import { estimate } from './estimate.ts'
import { listMissing } from './execute.ts'
import type { DeployWords } from './options.ts'
import type { Place } from './place.ts'
import { type Plan, planDeployment } from './plan.ts'
import type { Outlook } from './print-plan.ts'
import { toSetup } from './recorded-setup.ts'
import type { Step } from './step.ts'

/**
 * Returns the setup of the command. The setup must match the deployment that the file records, unless the option
 * `--new` is given.
 */
export function choose(
  { record }: Place,
  { given, ...words }: DeployWords,
  { signer, isDry }: { signer: LocalAccount | null; isDry: boolean },
): ChosenSetup {
  const sources = { given, recorded: record?.setup, signer: signer?.address }
  return chooseSetup(sources, { isDry, isNew: words.new })
}

/**
 * Computes the plan, compares the plan with the chain and with the deployment file, and estimates the cost of the
 * missing steps.
 */
export async function prepare(
  place: Place,
  words: DeployWords,
  { chosen, say }: { chosen: ChosenSetup; say: (line: string) => void },
): Promise<{ plan: Plan; missing: Step[]; outlook: Outlook }> {
  const { client, network, rpcUrl } = place
  const setup = toSetup(chosen.setup)
  if (setup.bonus?.token === 'local' && !words.local) {
    throw new Error('--reward-token local makes a token that any account can mint: name a real one, or use --local.')
  }
  if (setup.bonus !== undefined) await refuseUnusableToken(client, setup.bonus.token)
  const plan = planDeployment(network, setup)
  if (!words.new) refuseOtherDeployment(place, plan)
  const missingSteps = await listMissing(client, plan.steps)
  if (missingSteps.length > 0) say('rehearsing all steps on a local chain ...')
  const planEstimate = await estimate(client, plan, { missing: missingSteps, ...(words.fees && { fees: words.fees }) })
  const address = setup.deployer
  const outlook = {
    plan,
    chosen,
    node: new URL(rpcUrl).host,
    block: await client.getBlockNumber({ cacheTime: 0 }),
    estimate: planEstimate,
    balance: chosen.assumed.includes('deployer') ? null : await client.getBalance({ address }),
    forwarderOwner: await findForwarderOwner(place, plan),
  }
  return { plan, missing: missingSteps, outlook }
}

function refuseOtherDeployment({ file, record }: Place, { addresses }: Plan): void {
  const plannedAddresses = new Map<string, Address>(Object.entries(addresses))
  for (const [name, { address }] of Object.entries(record?.contracts ?? {})) {
    const expected = plannedAddresses.get(name)
    if (expected?.toLowerCase() === address.toLowerCase()) continue
    throw new Error(
      `${file} records ${name} at ${address}; the sources of this repository with this setup make it ${expected ?? 'in no place'}. ` +
        'To continue the recorded deployment take the commit that it was made from; to replace it in the file: --new.',
    )
  }
}

/** Reads the owner of the forwarder. @returns null if the forwarder is not deployed yet */
export async function findForwarderOwner({ client }: Place, { addresses }: Plan): Promise<Address | null> {
  const address = addresses.forwarder
  if ((await client.getCode({ address })) === undefined) return null
  return client.readContract({ address, abi: paymentForwarderAbi, functionName: 'owner' })
}

export function isOwnedBy(presentOwner: Address | null, owner: Address): boolean {
  return presentOwner !== null && isAddressEqual(presentOwner, owner)
}

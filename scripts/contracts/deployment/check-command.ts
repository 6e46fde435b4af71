import { checkDeployment } from './check.ts'
import { chooseSetup } from './choose-setup.ts'
import type { CommandIo } from './command-io.ts'
import type { DeployWords } from './options.ts'
import type { Place } from './place.ts'
import { planDeployment } from './plan.ts'
import { toSetup } from './recorded-setup.ts'

/** Compares a chain with the plan, and prints one line for each compared value. @returns the exit code */
export async function check(place: Place, words: DeployWords, { say }: CommandIo): Promise<number> {
  const { client, network, file, record } = place
  if (record === null || Object.keys(record.contracts).length === 0) {
    throw new Error(`${file} records no contracts: there is nothing to check before they are deployed.`)
  }
  const { given } = words
  const { setup } = chooseSetup({ given, recorded: record.setup, signer: undefined }, { isDry: false, isNew: false })
  const plan = planDeployment(network, toSetup(setup))
  const lines = await checkDeployment(client, plan, { record, say })
  for (const { what, result, note } of lines) say(`${result.padEnd(8)} ${what}${note === undefined ? '' : `: ${note}`}`)
  const count = (result: string) => lines.filter((line) => line.result === result).length
  say(`\n${count('ok')} ok, ${count('pending')} pending, ${count('changed')} changed, ${count('differs')} differ`)
  return count('differs') === 0 ? 0 : 1
}

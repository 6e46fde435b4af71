import type { LocalAccount } from 'viem'
import { changeRight } from './change-right.ts'
import { drainRelayer } from './drain.ts'
import { fundRelayers } from './fund.ts'
import { type RelayerWords, readOptions } from './options.ts'
import { openPlace, type Place } from './place.ts'
import { toRelayersJson, toRelayersText } from './print-relayers.ts'
import { readRelayers } from './read-relayers.ts'
import type { RelayerIo } from './relayer-io.ts'

/** The environment and the functions of the process that runs the command `npm run relayer`. */
export interface RelayerProcess {
  environment: Readonly<Record<string, string | undefined>>
  say: (line: string) => void
  /**
   * Opens the account that the command's arguments name; null if they name no account. The account is the forwarder's
   * owner (for a change of a relayer's right) or the payer of ether.
   * @param isLocal true for a chain on this machine, for which a key from the environment is accepted
   */
  chooseSigner: (words: RelayerWords, isLocal: boolean) => Promise<LocalAccount | null>
}

/**
 * Runs `npm run relayer` with its command-line arguments.
 * @throws Error if the command fails; the message tells the operator the cause or the next step
 */
export async function runRelayer(
  arguments_: readonly string[],
  { environment, say, chooseSigner }: RelayerProcess,
): Promise<void> {
  const words = readOptions(arguments_)
  const place = await openPlace(environment, words['rpc-url'])
  const io = { say, chooseSigner: () => chooseSigner(words, place.deployment.local) }
  try {
    await runCommand(place, words, io)
  } finally {
    await place.close()
  }
}

async function runCommand(place: Place, words: RelayerWords, io: RelayerIo): Promise<void> {
  const { command, addresses, amountWei, to, isDry } = words
  const [relayer] = addresses
  if (command === 'list') {
    const readings = await readRelayers(place, await place.openRelayers())
    return io.say(words.json ? toRelayersJson(readings) : toRelayersText(readings))
  }
  if (command === 'fund') {
    const relayers = addresses.length > 0 ? addresses : (await place.openRelayers()).map(({ address }) => address)
    return await fundRelayers(place, { relayers, amountWei: amountWei ?? 0n, isDry }, io)
  }
  if (relayer === undefined) return
  if (command === 'drain')
    return to === null ? undefined : await drainRelayer(place, { address: relayer, to, isDry }, io)
  await changeRight(place, { words, relayer, allowed: command === 'add' }, io)
}

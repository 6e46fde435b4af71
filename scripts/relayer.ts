/**
 * `npm run relayer -- <command>`: the accounts that pay the gas of relayed writes. It reads the settings of the service (DATABASE_URL,
 * RPC_URL, DEPLOYMENT_FILE, RELAYER_KEYS, RELAYER_SIGNERS), or without them the stack that `npm start` runs in this clone. Every command
 * can be ended and run again: it reads first what is there. `docs/operate/keys.md` says when to use which.
 *
 *   list [--json]                       each relayer: right, ether, nonces, writes on their way
 *   add ADDRESS                         lets it relay (setRelayer of the forwarder, by its owner)
 *   remove ADDRESS [--now]              takes its right away, once no write is on its way with it; `--now`: at once, because its key
 *                                       is stolen
 *   fund --amount ETHER [ADDRESS ...]   sends each what it has less than that; all of the settings unless named
 *   drain ADDRESS --to ADDRESS          sends the rest of one that may not relay any more, once all of its blocks are safe
 *
 * --dry-run                                says what would happen, in numbers; sends nothing
 * --keystore FILE [--password-file FILE]   the owner's key (add, remove) or the one that pays (fund)
 * --ledger [--derivation-path PATH]        the same on a device. Without a key, add and remove print the call for a multisig. On a
 *                                          local chain DEPLOYER_KEY names a key
 * --rpc-url URL                            another node than the first of RPC_URL
 * --confirmations N                        blocks until a change of a right counts: 5, on a local chain 1
 */
import { BaseError } from 'viem'
import { runRelayer } from '../ops/relayer/command.ts'
import { chooseSigner, refuseKeyOfEnvironment } from './contracts/signers/choose-signer.ts'
import { findStack } from './stack/stack-file.ts'

try {
  const { DEPLOYER_KEY: key } = process.env
  await runRelayer(process.argv.slice(2), {
    environment: { ...settingsOfStack(), ...process.env },
    say: console.log,
    chooseSigner: async (words, isLocal) => {
      refuseKeyOfEnvironment({ local: isLocal }, key)
      return await chooseSigner(words, key)
    },
  })
} catch (error) {
  console.error(error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Settings of the stack of this clone; none when DATABASE_URL is set. */
function settingsOfStack(): Record<string, string> {
  const stack = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE ? null : findStack()
  return stack?.settings.relayer ?? {}
}

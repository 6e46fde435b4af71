import { type Abi, toFunctionSelector, toFunctionSignature } from 'viem'
import { generatedBy } from '../generated-by.ts'
import { listSourceArtifacts, readArtifact, readForwarderBeforeBound } from './artifacts.ts'

/** Generated file under `abis/`, the constant in it, and the artifacts whose ABIs it unites. */
type AbiFile = { file: string; constant: string; artifacts: string[] }

const abiFiles: AbiFile[] = [
  { file: 'task-market.ts', constant: 'taskMarketAbi', artifacts: ['TaskMarket', 'ITaskMarket'] },
  {
    file: 'payment-forwarder.ts',
    constant: 'paymentForwarderAbi',
    artifacts: ['PaymentForwarder', 'IPaymentForwarder'],
  },
  { file: 'usdc.ts', constant: 'usdcAbi', artifacts: ['LocalUsdc'] },
  {
    file: 'identity-registrar.ts',
    constant: 'identityRegistrarAbi',
    artifacts: ['IdentityRegistrar', 'IIdentityRegistrar'],
  },
  { file: 'identity-registry.ts', constant: 'identityRegistryAbi', artifacts: ['IdentityRegistry'] },
  { file: 'bonus-hook.ts', constant: 'bonusHookAbi', artifacts: ['BonusHook', 'IBonusHook'] },
  {
    file: 'sponsored-tasks-hook.ts',
    constant: 'sponsoredTasksHookAbi',
    artifacts: ['SponsoredTasksHook', 'ISponsoredTasksHook'],
  },
  { file: 'sponsored-vault.ts', constant: 'sponsoredVaultAbi', artifacts: ['SponsoredVault', 'ISponsoredVault'] },
  {
    file: 'sponsored-vault-factory.ts',
    constant: 'sponsoredVaultFactoryAbi',
    artifacts: ['SponsoredVaultFactory', 'ISponsoredVaultFactory'],
  },
  { file: 'reputation-registry.ts', constant: 'reputationRegistryAbi', artifacts: ['ReputationRegistry'] },
]

type NamedItem = Extract<Abi[number], { name: string }>

const header = `// ${generatedBy('scripts/contracts/build.ts', 'contracts/src')}\n`

/** An ABI with the name of its constant; `file` is below `abis/`. */
export type AbiConstant = { file: string; constant: string; items: unknown[] }

/** Returns every ABI, in the same order for the same sources. The contracts must be compiled. */
export function listAbiConstants(): AbiConstant[] {
  const everything = unite(listSourceArtifacts().map((artifact) => artifact.abi))
  return [
    ...abiFiles.map(({ file, constant, artifacts }) => ({
      file,
      constant,
      items: unite(artifacts.map((name) => readArtifact(name).abi)),
    })),
    {
      file: 'payment-forwarder-before-bound.ts',
      constant: 'paymentForwarderBeforeBoundAbi',
      items: unite([readForwarderBeforeBound().abi]),
    },
    { file: 'errors.ts', constant: 'errorsAbi', items: everything.filter((item) => item.type === 'error') },
  ].map((abi) => ({ ...abi, items: abi.items.map(withoutInternalTypes) }))
}

/** Returns every file of `abis/` with its text: the same bytes for the same sources. */
export function renderAbiFiles(): Map<string, string> {
  return new Map(listAbiConstants().map((abi) => [abi.file, renderConstant(abi)]))
}

/** One ABI out of several: each signature once, in a fixed order, without constructors. */
function unite(abis: Abi[]): NamedItem[] {
  const items = new Map<string, NamedItem>()
  for (const item of abis.flat()) {
    if (item.type === 'constructor' || item.type === 'fallback' || item.type === 'receive') continue
    items.set(`${item.type} ${signatureOf(item)}`, item)
  }
  const sortedItems = [...items.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
  refuseClashingErrors(sortedItems)
  return sortedItems
}

/** Two errors with one selector could not be told apart in a revert. */
function refuseClashingErrors(items: NamedItem[]): void {
  const selectors = new Map<string, string>()
  for (const item of items) {
    if (item.type !== 'error') continue
    const signature = signatureOf(item)
    const selector = toFunctionSelector(signature)
    const other = selectors.get(selector)
    if (other !== undefined) throw new Error(`errors ${other} and ${signature} share the selector ${selector}`)
    selectors.set(selector, signature)
  }
}

/** `name(type,...)` of any item: errors and events are written as functions are. */
function signatureOf({ name, inputs }: NamedItem): string {
  return toFunctionSignature({ type: 'function', name, inputs, outputs: [], stateMutability: 'nonpayable' })
}

function renderConstant({ constant, items }: AbiConstant): string {
  const lines = items.map((item) => `  ${JSON.stringify(item)},\n`)
  return `${header}export const ${constant} = [\n${lines.join('')}] as const\n`
}

/** Solidity's own type names say nothing to a client and would make files change with every rename. */
function withoutInternalTypes(item: NamedItem): unknown {
  return JSON.parse(JSON.stringify(item, (key, value) => (key === 'internalType' ? undefined : value)))
}

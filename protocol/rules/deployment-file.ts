type Fields = Readonly<Record<string, unknown>>

/**
 * Flattens a deployment file (`deployments/<chainId>.json`) to one record: the file's fields, and the address of each
 * contract, registry and token by name. Fields that the file lacks are absent. The values are not checked.
 * Example: `contracts: { market: { address: '0x5e..' } }` becomes `market: '0x5e..'`.
 * @throws Error if the content is no deployment, or if the file names no contracts. A file names no contracts while the
 * market is not deployed to the file's chain.
 */
export function flattenDeploymentFile(content: unknown): Fields {
  if (!isRecord(content) || !Number.isSafeInteger(content.chainId)) throw new Error('The deployment has no chainId.')
  const { contracts, usdc, registries, network: _, ...rest } = content
  // A deployment file of an earlier version is already flat. Its defaults are the EIP-712 domain of USDC on Base (`USD
  // Coin`, version 2) and the name of the chain.
  if (contracts === undefined) {
    if (content.chainId !== 8453 && content.usdcDomain === undefined) {
      throw new Error(
        `The deployment of chain ${content.chainId} lacks \`usdcDomain\`: {name, version} as its USDC answers them.`,
      )
    }
    return { name: nameOf(content), usdcDomain: { name: 'USD Coin', version: '2' }, ...content }
  }
  if (!isRecord(contracts) || !isRecord(usdc) || !isRecord(registries)) {
    throw new Error('The deployment lacks contracts, usdc or registries.')
  }
  if (Object.keys(contracts).length === 0) {
    throw new Error(
      `The market is not deployed to ${nameOf(content)} (chain ${content.chainId}): that deployment file names no contracts. Name another one.`,
    )
  }
  const { address, ...usdcDomain } = usdc
  const identityStartBlock = isRecord(registries.identityRegistry) ? registries.identityRegistry.startBlock : undefined
  return {
    ...rest,
    name: nameOf(content),
    ...addressesOf(contracts),
    ...addressesOf(registries),
    usdc: address,
    usdcDomain,
    ...(typeof identityStartBlock === 'number' && { identityStartBlock }),
  }
}

/**
 * Returns the chain of a deployment file. The file need not name deployed contracts.
 * Example: `{ chainId: 84532, name: 'base-sepolia' }`.
 * @throws Error if the content has no chain id
 */
export function readChain(content: unknown): { chainId: number; name: string } {
  if (!isRecord(content) || !Number.isSafeInteger(content.chainId)) throw new Error('The deployment has no chainId.')
  return { chainId: Number(content.chainId), name: nameOf(content) }
}

function nameOf({ name, chainId }: Fields): string {
  // Older files without a name were all of Base.
  return typeof name === 'string' ? name : chainId === 8453 ? 'base' : `eip155:${chainId}`
}

function addressesOf(rows: Fields): Fields {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, isRecord(row) ? row.address : undefined]))
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../store/file-store.ts'

/** Reads the wallet's stored receipt for a service's legal policies; null if there is none. */
export async function findReceipt(
  home: string,
  { wallet, url }: { wallet: string; url: string },
): Promise<string | null> {
  const receipt = (await readReceipts(pathOf(home, wallet)))[hostOf(url)]
  return typeof receipt === 'string' ? receipt : null
}

/**
 * Stores the wallet's receipt for a service's legal policies, and returns the path of the file. Keeps the receipts for
 * other services.
 * @throws StoreError
 */
export async function saveReceipt(
  home: string,
  { wallet, url, receipt }: { wallet: string; url: string; receipt: string },
): Promise<string> {
  const path = pathOf(home, wallet)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeDurably(path, JSON.stringify({ ...(await readReceipts(path)), [hostOf(url)]: receipt }, null, 2))
  return path
}

async function readReceipts(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return {}
  }
}

function pathOf(home: string, wallet: string): string {
  return join(home, wallet.toLowerCase(), 'legal-receipts.json')
}

function hostOf(url: string): string {
  return new URL(url).host
}

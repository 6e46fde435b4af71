import { keepMain } from '../page/served.ts'

/**
 * Reads this page again, and replaces the main content. Keeps open dialogs and the scroll position. If the read fails,
 * the browser reloads the page.
 */
export async function refreshPage(): Promise<void> {
  const page = await readPage()
  const [oldMain, freshMain] = [document.querySelector('main'), page?.querySelector('main')]
  if (!oldMain || !freshMain) return location.reload()
  const newMain = document.importNode(freshMain, true)
  oldMain.replaceWith(newMain)
  keepMain(newMain)
  document.dispatchEvent(new Event('page-refreshed'))
  await loadIslands(page)
}

/** Reads this page again; null if it cannot be read. */
export function readPage(): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.responseType = 'document'
    // The page of a private task has the status 404.
    request.onload = () => resolve(request.status === 200 || request.status === 404 ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })
}

/**
 * Loads those scripts of the refreshed page that the open page has not loaded. For example, a task page gets a script
 * that shows delivered files as soon as there is a first delivery.
 */
export async function loadIslands(page: Document | null): Promise<void> {
  const sources = [...(page?.querySelectorAll('script[src]') ?? [])].map((script) => script.getAttribute('src') ?? '')
  // A loaded island does not run again.
  await Promise.all(sources.map((source) => import(source)))
}

const NAME = 'task-market:draft'
/** A password is kept nowhere. */
const left = 'accessPassword'

/** Keeps what was typed into the form in this tab, so that a reload loses nothing; null forgets it. */
export function keepDraft(form: HTMLFormElement | null): void {
  if (form === null) {
    sessionStorage.removeItem(NAME)
    return
  }
  const fields = [...new FormData(form)].filter(([name, value]) => name !== left && typeof value === 'string')
  sessionStorage.setItem(NAME, JSON.stringify(fields))
}

/** Puts back what was kept. */
export function restoreDraft(form: HTMLFormElement): void {
  const fields = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, string][]
  for (const [name, value] of fields) {
    const element = form.elements.namedItem(name)
    if (element instanceof RadioNodeList) element.value = value
    else if (element !== null && 'value' in element) element.value = value
  }
}

/** A field on the page that reads its own value. */
export interface Control {
  element: HTMLElement
  /** Returns the value; undefined: left empty. @throws FieldProblem */
  read(): unknown
}

/** An unusable value; its message is for a person. */
export class FieldProblem extends Error {
  override name = 'FieldProblem'
}

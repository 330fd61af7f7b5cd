import temml from 'temml';

/** The largest size in a formula, in em, so that it stays in its place. */
const SIZE_MAX_EM = 20;
const EXPANSIONS_MAX = 200;

/** @returns the nodes of a formula @throws if the source is not TeX */
export function formula(source: string, isBlock: boolean): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const host = document.createElement('span');
  temml.render(source, host, {
    displayMode: isBlock,
    throwOnError: true,
    // No links or classes that the model chooses.
    trust: false,
    maxSize: [SIZE_MAX_EM, SIZE_MAX_EM],
    maxExpand: EXPANSIONS_MAX,
  });
  fragment.append(...host.childNodes);
  return fragment;
}

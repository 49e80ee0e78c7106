// Small things that this browser remembers. A browser that lets nobody keep anything forgets them
// when the page is closed.
function area(find) {
  try {
    return find() || {};
  } catch {
    return {};
  }
}

export const local = area(() => localStorage);
export const visit = area(() => sessionStorage);

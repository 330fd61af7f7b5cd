/** Networks that show advertisements on parked pages: nobody else embeds their scripts and frames. */
const parkingNetworks: ReadonlySet<string> = new Set(
  `bodis.com bodiscdn.com cashparking.com cdnpark.com domainparking.ru dsparking.com fabulous.com namedrive.com
  parking-crew.com parkingcrew.net parklogic.com parkweb.vip rookmedia.net sedoparking.com skenzo.com
  smartname.com voodoo.com`.split(/\s+/),
);

/** Markets of domains. */
const markets: ReadonlySet<string> = new Set(
  `above.com afternic.com aftermarket.pl atom.com brandbucket.com buydomains.com dan.com domainmarket.com
  dominios.es efty.com epik.com escrow.com expireddomains.com hugedomains.com premium.pl sav.com sedo.com sedo.de
  squadhelp.com telderi.ru undeveloped.com uniregistry.com`.split(/\s+/),
);

/** Registrars, hosting companies and site builders, as their placeholders link to them. */
const registrars: ReadonlySet<string> = new Set(
  `ahost.ru amen.fr arsys.es az.pl backorder.ru bluehost.com beget.com beget.ru cpanel.net cyberfolks.pl dondominio.com dhosting.pl dynadot.com enom.com gandi.net godaddy.com
  easyname.com home.pl hostgator.com hostinger.com inwx.de ionos.com ionos.de ionos.es ionos.fr jino.ru loopia.com masterhost.ru mchost.ru
  namecheap.com namesilo.com nazwa.pl netim.com networksolutions.com nic.ru one.com onlydomains.com ovh.com ovhcloud.com plesk.com
  porkbun.com r01.ru reg.ru regtime.net rucenter.ru spaceship.com squarespace.com strato.de strato.com sweb.ru
  timeweb.com timeweb.ru united-domains.de webnames.ru wix.com 1and1.com 1und1.de`.split(/\s+/),
);

/** Addresses of scripts, frames and styles that only parked pages load. */
const parkingCode =
  /\/adsense\/domains\/caf\.js|\/apps\/domainpark\/|\/parking-lander\/|\/frmpark\/|parkingpage\.namecheap\.com|\/\/d38psrni17bvxu\.cloudfront\.net\/|\/parking-page\/|webredir\.vip\.gandi\.net|\/(?:domain-?)?parking\.(?:js|css)(?:$|\?)/;

/** Signs in the text of scripts that only parked pages have. */
const parkingScript =
  /window\.park\s*=\s*["']ey|LANDER_SYSTEM|domainRegistrant|(?:parkingcrew|sedoparking)\.(?:net|com)|bodis\.com|park_?lander|cf-parking|sedoParkingUrl|\/adsense\/domains\/caf\.js/;

/** A page that only sends on to the lander of its registrar. */
export const sendsToLander = /location(?:\.href)?\s*=\s*["']\/lander["'?]/;

/** Paths of placeholders. */
export const placeholderPath =
  /^\/(?:cgi-sys\/(?:defaultwebpage|suspendedpage)\.cgi|defaultsite|lander|parking\.php|park(?:ed|ing)?\/?$)/;

export const isMarket = (domain: string): boolean => markets.has(domain);
export const isParkingNetwork = (domain: string): boolean => parkingNetworks.has(domain);
export const isRegistrar = (domain: string): boolean => registrars.has(domain);
export const isParkingCode = (address: string): boolean => parkingCode.test(address);
export const isParkingScript = (text: string): boolean => parkingScript.test(text);

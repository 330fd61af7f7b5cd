/** Networks that show advertisements on parked pages: only parked pages embed their scripts and frames. */
const parkingNetworks: ReadonlySet<string> = new Set(
  `bodis.com bodiscdn.com cashparking.com cdnpark.com   domainparking.ru domainsponsor.com dsparking.com fabulous.com giantpanda.com
  namedrive.com parking-crew.com parkingcrew.com parkingcrew.net parkingspa.com parklogic.com
  parklogic.net parkweb.vip rookmedia.net sedopark.net sedoparking.com skenzo.com smartname.com
  teaminternet.com trafficz.com uniregistrymarket.link voodoo.com ztomy.com`.split(/\s+/),
);

/** Markets of domains. */
const markets: ReadonlySet<string> = new Set(
  `4.cn above.com aftermarket.pl afternic.com atom.com brandbucket.com buydomains.com catched.com
  dan.com dn.com domainagents.com domainer.pl domainmarket.com domainnamesales.com dominios.es
  dropcatch.com efty.com ename.com epik.com escrow.com expired.ru expireddomains.com gname.com
  hugedomains.com juming.com namejet.com nameshift.com nameslot.com nicsell.com park.io
  perfectdomain.com premium.pl sav.com saw.com sedo.co.uk sedo.com sedo.de snapnames.com
  squadhelp.com telderi.ru undeveloped.com uniregistry.com`.split(/\s+/),
);

/** Registrars, hosting companies and site builders, as their placeholders link to them. */
const registrars: ReadonlySet<string> = new Set(
  `shopify.com weebly.com jimdo.com webnode.com all-inkl.com 1blu.de netcup.de dhosting.pl 1and1.com 1und1.de 22.cn active24.com active24.cz ahost.ru aliyun.com amen.fr arsys.es aruba.it
  az.pl backorder.ru beget.com beget.ru bluehost.com cdmon.com checkdomain.de cpanel.net
  crazydomains.com cyberfolks.pl df.eu dhosting.pl directadmin.com dnspod.cn domain.com
  domainfactory.de domenomania.pl dondominio.com dreamhost.com dynadot.com easyname.com enom.com
  fastpanel.direct fastvps.ru forpsi.com fozzy.com gandi.net godaddy.com hestiacp.com hetzner.com
  hetzner.de hichina.com home.pl hoster.by hosteurope.de hostgator.com hostinger.com hostinger.de
  hostinger.es hostinger.fr hostinger.ru hostpoint.ch hover.com infomaniak.com internetx.com
  inwx.de ionos.com ionos.de ionos.es ionos.fr ispmanager.com ispmanager.ru ispsystem.ru jino.ru
  kei.pl kinsta.com lh.pl loopia.com lws.fr majordomo.ru masterhost.ru mchost.ru mittwald.de
  name.com namecheap.com namesilo.com nazwa.pl nethouse.ru netim.com networksolutions.com nic.ru
  nominalia.com o2switch.fr one.com onlydomains.com openprovider.com ovh.com ovh.es ovh.pl
  ovhcloud.com piensasolutions.com planethoster.com plesk.com porkbun.com r01.ru raiolanetworks.com
  raiolanetworks.es reg.ru register.com register.it regtime.net rucenter.ru rusonyx.ru seohost.pl
  simply.com siteground.com spaceship.com sprinthost.ru squarespace.com strato.com strato.de
  strato.es strato.fr sweb.ru tilda.cc tilda.ws timeweb.com timeweb.ru transip.nl united-domains.de
  uniteddomains.com vdsina.ru webempresa.com webnames.ru websupport.sk west.cn wix.com
  world4you.com xinnet.com zenbox.pl zone.ee
  123-reg.co.uk 20i.com alwaysdata.com axarnet.es atman.pl baehost.com contabo.com craftum.com cyon.ch dogado.de donweb.com
  elserver.com fasthosts.co.uk ferozo.com flexbe.ru fornex.com goneo.de hekko.pl hostalia.com hostland.ru hostpapa.com
  ikoula.com imena.ua infobox.ru inmotionhosting.com internet.bs ionos.co.uk iq.pl justhost.com krystal.io krystal.uk kylos.pl lcn.com
  lima-city.de linuxpl.com loading.es loopia.se manitu.de metanet.ch mydevil.net namebright.com names.co.uk netangels.ru netmark.pl
  neubox.com nic.kz nuxit.com ogicom.pl phpnet.org progreso.pl ps.kz pulseheberg.com reg.com ruvds.com safenames.net selectel.ru
  sered.net small.pl spaceweb.ru tsohost.com uberspace.de ukit.com ukraine.com.ua variomedia.de webgo.de wnpower.com youdot.io`.split(
    /\s+/,
  ),
);

/** URLs of scripts, frames and styles that only parked pages load. */
const parkingCode =
  /\/adsense\/domains\/caf\.js|\/apps\/domainpark\/|\/parking-lander\/|\/frmpark\/|parkingpage\.namecheap\.com|\/\/(?:d38psrni17bvxu|d1lxhc4jvstzrp)\.cloudfront\.net\/|\/parking-page\/|webredir\.vip\.gandi\.net|\/(?:domain-?parking|parked(?:-?page)?)\.(?:js|css)(?:$|\?)/;

/** Signs in the text of scripts that only parked pages have. */
const parkingScript =
  /window\.park\s*=\s*["']ey|LANDER_SYSTEM|domainRegistrant|(?:parkingcrew|sedoparking)\.(?:net|com)|bodis\.com|park_?lander|cf-parking|sedoParkingUrl|\/adsense\/domains\/caf\.js/;

/** A page that only redirects to the landing page of its registrar. */
export const sendsToLander = /location(?:\.href)?\s*=\s*["']\/lander["'?]/;

/** Paths of placeholders. */
export const placeholderPath =
  /^\/(?:cgi-sys\/(?:defaultwebpage|suspendedpage)\.cgi|defaultsite|lander|parking\.php|park(?:ed|ing)?\/?$)/;

/** Links to these lead to a person or a company, as a mail address does. */
const messengers: ReadonlySet<string> = new Set([
  'wa.me',
  'whatsapp.com',
  't.me',
  'viber.com',
  'm.me',
]);

/** Where people, companies and hosts have accounts. */
const socials: ReadonlySet<string> = new Set(
  'facebook.com instagram.com twitter.com x.com linkedin.com youtube.com vk.com t.me tiktok.com pinterest.com'.split(
    ' ',
  ),
);

export const isSocial = (domain: string): boolean => socials.has(domain);
export const isMessenger = (domain: string): boolean => messengers.has(domain);
export const isMarket = (domain: string): boolean => markets.has(domain);
export const isParkingNetwork = (domain: string): boolean => parkingNetworks.has(domain);
export const isRegistrar = (domain: string): boolean => registrars.has(domain);
/** Whether domains or their hosting are sold there. The many sites that are not listed show it in their names. */
export const sellsDomains = (domain: string): boolean =>
  isMarket(domain) ||
  isRegistrar(domain) ||
  /hosting|hoster|webhost|(?<!g)hosts?\.|domain|domen|registr|heberg|hospedaj|alojamient|(?<!ob)servers?[.-]|serwer/.test(
    domain,
  );
export const isParkingCode = (address: string): boolean => parkingCode.test(address);
export const isParkingScript = (text: string): boolean => parkingScript.test(text);
